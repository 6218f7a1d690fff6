// What a thread's variables are to have called when it ends (Itanium C++ ABI, "Thread-local
// storage"): nothing, since a page's one thread lives as long as the page.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) {
  return 0;
}
