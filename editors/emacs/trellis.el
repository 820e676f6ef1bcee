;;; trellis.el --- Trellis as a language server -*- lexical-binding: t -*-

;; For Emacs 29 and later, or 26 and later with the package `eglot': load this file, then
;; `M-x eglot' in a C or Java file.

;;; Code:

(defvar trellis-program "trellis"
  "The program that is started.")

(defvar trellis-options nil
  "What the server is told, such as (:timeoutSeconds 10).")

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               `((c-mode c-ts-mode java-mode java-ts-mode)
                 . ,(lambda (&optional _)
                      (append (list trellis-program "lsp")
                              (and trellis-options
                                   (list :initializationOptions trellis-options)))))))

(provide 'trellis)
;;; trellis.el ends here
