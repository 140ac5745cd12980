;; Stands between CPython's libc and WASI: every change of the file system is paid for first.
;;
;; The functions keep the names and types of the imports they guard; quota.py copies them into the
;; interpreter and redirects its calls. The host sets the two budgets before a run.
(module
  (import "wasi" "fd_close" (func $fd_close (param i32) (result i32)))
  (import "wasi" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi" "fd_pwrite" (func $fd_pwrite (param i32 i32 i32 i64 i32) (result i32)))
  (import "wasi" "fd_filestat_set_size" (func $fd_filestat_set_size (param i32 i64) (result i32)))
  (import "wasi" "path_open" (func $path_open
    (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi" "path_create_directory" (func $path_create_directory
    (param i32 i32 i32) (result i32)))
  (import "wasi" "path_remove_directory" (func $path_remove_directory
    (param i32 i32 i32) (result i32)))
  (import "wasi" "path_unlink_file" (func $path_unlink_file (param i32 i32 i32) (result i32)))
  (import "wasi" "path_symlink" (func $path_symlink (param i32 i32 i32 i32 i32) (result i32)))
  (import "wasi" "path_link" (func $path_link (param i32 i32 i32 i32 i32 i32 i32) (result i32)))

  (import "wasi" "sock_send" (func $sock_send (param i32 i32 i32 i32 i32) (result i32)))

  (memory 1)
  (global $bytes (mut i64) (i64.const 0))   ;; bytes that may still be written
  (global $files (mut i64) (i64.const 0))   ;; directory entries that may still be made
  (global $open (mut i32) (i32.const 256))  ;; files that may still be opened at the same time

  ;; The sum of the lengths in an array of (address, length) pairs.
  (func $total (param $vectors i32) (param $count i32) (result i64)
    (local $sum i64)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $sum (i64.add (local.get $sum)
          (i64.load32_u offset=4 (local.get $vectors))))
        (local.set $vectors (i32.add (local.get $vectors) (i32.const 8)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next)))
    (local.get $sum))

  (func $pay_bytes (param $status i32) (param $amount i64) (result i32)
    (if (i32.eqz (local.get $status))
      (then (global.set $bytes (i64.sub (global.get $bytes) (local.get $amount)))))
    (local.get $status))

  (func $pay_file (param $status i32) (param $amount i64) (result i32)
    (if (i32.eqz (local.get $status))
      (then (global.set $files (i64.sub (global.get $files) (local.get $amount)))))
    (local.get $status))

  ;; 51 is ENOSPC, "no space left on device"; 33 EMFILE; 44 ENOENT; 58 ENOTSUP.

  ;; Descriptors 0 to 2 stay open: a file that took the number of stdout would be written for free.
  (func (export "fd_close") (param $fd i32) (result i32)
    (local $status i32)
    (if (i32.le_u (local.get $fd) (i32.const 2)) (then (return (i32.const 0))))
    (local.set $status (call $fd_close (local.get $fd)))
    (if (i32.eqz (local.get $status))
      (then (global.set $open (i32.add (global.get $open) (i32.const 1)))))
    (local.get $status))

  ;; What is printed goes to the host's own sock_send, which caps it.
  (func (export "fd_write") (param $fd i32) (param $vectors i32) (param $count i32)
      (param $written i32) (result i32)
    (local $amount i64)
    (if (i32.le_u (local.get $fd) (i32.const 2))
      (then (return (call $sock_send (local.get $fd) (local.get $vectors) (local.get $count)
        (i32.const 0) (local.get $written)))))
    (local.set $amount (call $total (local.get $vectors) (local.get $count)))
    (if (i64.gt_u (local.get $amount) (global.get $bytes)) (then (return (i32.const 51))))
    (call $pay_bytes
      (call $fd_write (local.get $fd) (local.get $vectors) (local.get $count) (local.get $written))
      (local.get $amount)))

  (func (export "fd_pwrite") (param $fd i32) (param $vectors i32) (param $count i32)
      (param $offset i64) (param $written i32) (result i32)
    (local $amount i64)
    (local.set $amount (call $total (local.get $vectors) (local.get $count)))
    (if (i64.gt_u (local.get $amount) (global.get $bytes)) (then (return (i32.const 51))))
    (call $pay_bytes
      (call $fd_pwrite (local.get $fd) (local.get $vectors) (local.get $count)
        (local.get $offset) (local.get $written))
      (local.get $amount)))

  ;; A hole costs what it would cost to fill it.
  (func (export "fd_filestat_set_size") (param $fd i32) (param $size i64) (result i32)
    (if (i64.gt_u (local.get $size) (global.get $bytes)) (then (return (i32.const 51))))
    (call $pay_bytes (call $fd_filestat_set_size (local.get $fd) (local.get $size))
      (local.get $size)))

  (func (export "fd_allocate") (param i32 i64 i64) (result i32) (i32.const 58))

  ;; Every open file of a guest is an open file of the host, which has only so many.
  (func $opened (param $directory i32) (param $lookup i32) (param $path i32) (param $length i32)
      (param $flags i32) (param $rights i64) (param $inherited i64) (param $fdflags i32)
      (param $fd i32) (result i32)
    (local $status i32)
    (if (i32.eqz (global.get $open)) (then (return (i32.const 33))))
    (local.set $status (call $path_open (local.get $directory) (local.get $lookup)
      (local.get $path) (local.get $length) (local.get $flags) (local.get $rights)
      (local.get $inherited) (local.get $fdflags) (local.get $fd)))
    (if (i32.eqz (local.get $status))
      (then (global.set $open (i32.sub (global.get $open) (i32.const 1)))))
    (local.get $status))

  ;; Opening with O_CREAT (1) and without O_EXCL (4) costs nothing where the file exists.
  (func (export "path_open") (param $directory i32) (param $lookup i32) (param $path i32)
      (param $length i32) (param $flags i32) (param $rights i64) (param $inherited i64)
      (param $fdflags i32) (param $fd i32) (result i32)
    (local $status i32)
    (if (i32.ne (i32.and (local.get $flags) (i32.const 5)) (i32.const 5))
      (then
        (local.set $status (call $opened (local.get $directory) (local.get $lookup)
          (local.get $path) (local.get $length) (i32.and (local.get $flags) (i32.const -2))
          (local.get $rights) (local.get $inherited) (local.get $fdflags) (local.get $fd)))
        (if (i32.or (i32.ne (local.get $status) (i32.const 44))
                    (i32.eqz (i32.and (local.get $flags) (i32.const 1))))
          (then (return (local.get $status))))))
    (if (i64.eqz (global.get $files)) (then (return (i32.const 51))))
    (call $pay_file
      (call $opened (local.get $directory) (local.get $lookup) (local.get $path)
        (local.get $length) (local.get $flags) (local.get $rights) (local.get $inherited)
        (local.get $fdflags) (local.get $fd))
      (i64.const 1)))

  (func (export "path_create_directory") (param $fd i32) (param $path i32) (param $length i32)
      (result i32)
    (if (i64.eqz (global.get $files)) (then (return (i32.const 51))))
    (call $pay_file
      (call $path_create_directory (local.get $fd) (local.get $path) (local.get $length))
      (i64.const 1)))

  ;; What is removed may be made again.
  (func (export "path_remove_directory") (param $fd i32) (param $path i32) (param $length i32)
      (result i32)
    (call $pay_file
      (call $path_remove_directory (local.get $fd) (local.get $path) (local.get $length))
      (i64.const -1)))

  (func (export "path_unlink_file") (param $fd i32) (param $path i32) (param $length i32)
      (result i32)
    (call $pay_file
      (call $path_unlink_file (local.get $fd) (local.get $path) (local.get $length))
      (i64.const -1)))

  (func (export "path_symlink") (param $target i32) (param $size i32) (param $fd i32)
      (param $path i32) (param $length i32) (result i32)
    (if (i64.eqz (global.get $files)) (then (return (i32.const 51))))
    (call $pay_file
      (call $path_symlink (local.get $target) (local.get $size) (local.get $fd)
        (local.get $path) (local.get $length))
      (i64.const 1)))

  (func (export "path_link") (param $from i32) (param $lookup i32) (param $old i32)
      (param $size i32) (param $to i32) (param $path i32) (param $length i32) (result i32)
    (if (i64.eqz (global.get $files)) (then (return (i32.const 51))))
    (call $pay_file
      (call $path_link (local.get $from) (local.get $lookup) (local.get $old) (local.get $size)
        (local.get $to) (local.get $path) (local.get $length))
      (i64.const 1))))
