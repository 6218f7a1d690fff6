// What nvcc has and clang's own CUDA headers have not, so that an editor does not call it a mistake
// (grader/setup/editor.py). No build sees this file.
#pragma once

template <class T>
__attribute__((device)) void __stcs(T* address, T value);
template <class T>
__attribute__((device)) void __stcg(T* address, T value);
template <class T>
__attribute__((device)) void __stwt(T* address, T value);
