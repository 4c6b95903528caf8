/* ask_to_close WINDOW: what a window manager sends when the user clicks the cross (WM_DELETE_WINDOW). */
#include <X11/Xlib.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  Display* display = XOpenDisplay(NULL);
  if (argc != 2 || display == NULL) return 2;
  XEvent event = {0};
  event.xclient.type = ClientMessage;
  event.xclient.window = strtoul(argv[1], NULL, 0);
  event.xclient.message_type = XInternAtom(display, "WM_PROTOCOLS", False);
  event.xclient.format = 32;
  event.xclient.data.l[0] = (long)XInternAtom(display, "WM_DELETE_WINDOW", False);
  event.xclient.data.l[1] = CurrentTime;
  XSendEvent(display, event.xclient.window, False, NoEventMask, &event);
  XCloseDisplay(display);
  return 0;
}
