// Puts a program for the browser into the compiler's message.
//
// Fails: the report escapes what is not its own.
#error </pre><script>document.title='tma-attack'</script>
