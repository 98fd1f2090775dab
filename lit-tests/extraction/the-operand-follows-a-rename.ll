; RUN: sed 's/@_Z4callv/@renamed/g' %s | %opt -S | %contract | FileCheck %s
; CHECK: @renamed {"kind":"role"
target triple = "nvptx64-nvidia-cuda"
define void @_Z4callv() {
  ret void
}
!pipelink.contract = !{!0, !1}
!0 = !{null, !"{\22kind\22:\22stage\22,\22name\22:\22s\22}"}
!1 = !{ptr @_Z4callv, !"{\22kind\22:\22role\22,\22name\22:\22call\22}"}
