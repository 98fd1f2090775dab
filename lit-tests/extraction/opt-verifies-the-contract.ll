; What a module carries is checked for shape before it is printed; each wrong module has one error and prints nothing.
; RUN: rm -rf %t && split-file %s %t
; RUN: cat %t/head.ll %t/good.ll | %contract | FileCheck %s --check-prefix=GOOD
; RUN: for f in %t/bad/*; do cat %t/head.ll $f | not %contract 2>&1 || exit 1; done | FileCheck %s
;
; GOOD:      - {"kind":"stage","name":"s"}
; GOOD-NEXT: @role {"kind":"role","name":"r"}
; GOOD-NEXT: @import {"kind":"import","name":"i","symbol":"import"}
; GOOD-NEXT: - {"kind":"import","name":"j","symbol":"dropped"}
; GOOD-NEXT: @buffer {"kind":"shared","name":"b"}
;
; CHECK:      error: '<stdin>' has role 'r' whose function 'import' has no body; was it dropped before extraction?
; CHECK-NEXT: error: '<stdin>' has export 'e' whose function 'import' has no body
; CHECK-NEXT: error: '<stdin>' has import 'i' with a body
; CHECK-NEXT: error: '<stdin>' has a contract node that is not JSON:
; CHECK-NEXT: error: '<stdin>' has a contract node without 'kind'
; CHECK-NEXT: error: '<stdin>' has a contract node that is not {function or global, JSON string}
; CHECK-NEXT: error: '<stdin>' has role 'r' that is not a function
; CHECK-NEXT: error: '<stdin>' has a params node that speaks of a function or global
; CHECK-NEXT: error: '<stdin>' has shared buffer 'b' that is not a global
; CHECK-NEXT: error: '<stdin>' declares 2 stages; a file is one, or a part of one
; CHECK-NEXT: error: '<stdin>' has role 'r' without its function or global
; CHECK-NOT:  {{.}}

;--- head.ll
target triple = "nvptx64-nvidia-cuda"
@buffer = external addrspace(3) global [0 x i8]
define void @role() {
  ret void
}
declare void @import()
!100 = !{null, !"{\22kind\22:\22stage\22,\22name\22:\22s\22}"}

;--- good.ll
!pipelink.contract = !{!100, !0, !1, !2, !3}
!0 = !{ptr @role, !"{\22kind\22:\22role\22,\22name\22:\22r\22}"}
!1 = !{ptr @import, !"{\22kind\22:\22import\22,\22name\22:\22i\22,\22symbol\22:\22import\22}"}
!2 = !{null, !"{\22kind\22:\22import\22,\22name\22:\22j\22,\22symbol\22:\22dropped\22}"}
!3 = !{ptr addrspace(3) @buffer, !"{\22kind\22:\22shared\22,\22name\22:\22b\22}"}

;--- bad/a-role-without-body.ll
!pipelink.contract = !{!100, !0}
!0 = !{ptr @import, !"{\22kind\22:\22role\22,\22name\22:\22r\22}"}

;--- bad/b-export-without-body.ll
!pipelink.contract = !{!100, !0}
!0 = !{ptr @import, !"{\22kind\22:\22export\22,\22name\22:\22e\22,\22defined\22:true}"}

;--- bad/c-import-with-body.ll
!pipelink.contract = !{!100, !0}
!0 = !{ptr @role, !"{\22kind\22:\22import\22,\22name\22:\22i\22}"}

;--- bad/d-not-json.ll
!pipelink.contract = !{!100, !0}
!0 = !{ptr @role, !"{\22kind\22:"}

;--- bad/e-no-kind.ll
!pipelink.contract = !{!100, !0}
!0 = !{ptr @role, !"{\22name\22:\22r\22}"}

;--- bad/f-no-pair.ll
!pipelink.contract = !{!100, !0}
!0 = !{ptr @role}

;--- bad/h-role-is-a-variable.ll
!pipelink.contract = !{!100, !0}
!0 = !{ptr addrspace(3) @buffer, !"{\22kind\22:\22role\22,\22name\22:\22r\22}"}

;--- bad/i-params-with-symbol.ll
!pipelink.contract = !{!100, !0}
!0 = !{ptr @role, !"{\22kind\22:\22params\22}"}

;--- bad/j-shared-is-a-function.ll
!pipelink.contract = !{!100, !0}
!0 = !{ptr @role, !"{\22kind\22:\22shared\22,\22name\22:\22b\22}"}

;--- bad/k-two-stages.ll
!pipelink.contract = !{!100, !100}

;--- bad/l-role-of-nothing.ll
!pipelink.contract = !{!100, !0}
!0 = !{null, !"{\22kind\22:\22role\22,\22name\22:\22r\22}"}
