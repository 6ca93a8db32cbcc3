package dump
