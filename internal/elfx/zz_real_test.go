package elfx_test
import ("testing";"os";"fmt";"path/filepath";"debug/elf";"time";"slices";"strings";"strata/internal/elfx";"encoding/hex")
func TestReal(t *testing.T){
 n,bad:=0,0; var mine,std time.Duration; var worst time.Duration
 seen:=map[string]bool{}
 for _,root:=range []string{"/usr/lib","/usr/bin","/usr/local","/tmp/fatbin/libs","/root/.pyenv","/tmp/fatbin/compat"}{
 filepath.Walk(root,func(p string,fi os.FileInfo,err error)error{
  if err!=nil||!fi.Mode().IsRegular()||seen[p]{return nil}
  seen[p]=true
  f,err:=os.Open(p);if err!=nil{return nil};defer f.Close()
  var m [4]byte; f.ReadAt(m[:],0); if string(m[:])!="\x7fELF"{return nil}
  t0:=time.Now(); e,err1:=elfx.Read(f,fi.Size()); d:=time.Since(t0); mine+=d; worst=max(worst,d)
  t0=time.Now()
  g,err2:=elf.NewFile(f)
  if err2!=nil{fmt.Println("std err",p,err2,err1);return nil}
  libs,_:=g.ImportedLibraries(); so,_:=g.DynString(elf.DT_SONAME); rp,_:=g.DynString(elf.DT_RUNPATH); rpp,_:=g.DynString(elf.DT_RPATH)
  needs,_:=g.DynamicVersionNeeds(); defs,_:=g.DynamicVersions()
  std+=time.Since(t0)
  n++
  if err1!=nil{fmt.Println("ERR",p,err1);bad++;return nil}
  var a,b []string
  a=append(a,libs...);b=append(b,e.Needed...)
  a=append(a,so...);if e.Soname!=""{b=append(b,e.Soname)}
  for _,r:=range rp{ if r!=""{a=append(a,strings.Split(r,":")...)}};b=append(b,e.Runpath...)
  for _,r:=range rpp{ if r!=""{a=append(a,strings.Split(r,":")...)}};b=append(b,e.Rpath...)
  for _,x:=range needs{a=append(a,x.Name);var w []string;for _,y:=range x.Needs{ if y.Flags&elf.VER_FLG_WEAK!=0{w=append(w,y.Dep)}else{a=append(a,y.Dep)}};a=append(a,w...)}
  for _,x:=range e.Needs{b=append(b,x.Library);b=append(b,x.Versions...);b=append(b,x.Weak...)}
  for _,x:=range defs{if x.Flags&elf.VER_FLG_BASE==0{a=append(a,x.Name)}};b=append(b,e.Defines...)
  for i,s:=range g.Sections{ if i>0{a=append(a,s.Name)}};for _,s:=range e.Sections{b=append(b,s.Name)}
  if s:=g.Section(".note.gnu.build-id");s!=nil&&s.Type==elf.SHT_NOTE{if x,err:=s.Data();err==nil&&len(x)>16{a=append(a,hex.EncodeToString(x[16:]))}};if e.BuildID!=""{b=append(b,e.BuildID)}
  if !slices.Equal(a,b){bad++;if bad<20{fmt.Println("DIFF",p,len(a),len(b),e.SectionProblem);for i:=range a{if i>=len(b)||a[i]!=b[i]{fmt.Println(i,a[i:min(len(a),i+3)]);if i<len(b){fmt.Println(b[i:min(len(b),i+3)])};break}}}}
  if e.CompatNote!=nil{fmt.Printf("%s %+v\n",p,*e.CompatNote)}
  if n%7==0 { // symbols
   u,err:=elfx.UndefinedSymbols(f,fi.Size()); d,err3:=elfx.DefinedSymbols(f,fi.Size())
   ds,_:=g.DynamicSymbols(); c:=map[string]int{}
   for _,s:=range ds{ if ty:=s.Info&15;ty==3||ty==4||s.Info>>4==0{continue}; if s.Section==0{c["U"+s.Name+"@"+s.Version+"|"+s.Library]++}else{c["D"+s.Name+"@"+s.Version]++}}
   tot:=len(u)+len(d)
   for _,s:=range u{c["U"+s.Name+"@"+s.Version+"|"+s.Library]--}
   for _,s:=range d{c["D"+s.Name+"@"+s.Version]--}
   k:=0;ex:="";for x,v:=range c{if v!=0{k++;ex=x}}
   if (err!=nil||err3!=nil||k>0)&&k>=0{fmt.Println("SYM",p,err,err3,k,tot,ex)}
  }
  return nil})}
 fmt.Println("files",n,"bad",bad,"mine",mine/time.Duration(n),"worst",worst,"std",std/time.Duration(n))
}
