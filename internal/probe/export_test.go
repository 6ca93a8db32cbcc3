package probe

// What tests outside of the package look at.
var (
	FromMemory = fromMemory
	Unpack     = unpack
)
