/* drop_files WINDOW FILE...: drags files onto the middle of a window and lets them go, as a file manager does by the XDND
 * protocol (freedesktop.org, version 5): enter, position, drop, and the list of files when the window asks for it.
 * Exit status 0: the window took them; 1: it refused; 2: it did not answer. */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kVersion = 5, kPatienceMs = 20000, kMostBytes = 65536 };

static Display* display;
static Window source;
static Window target;

static Atom atom(const char* name) {
  return XInternAtom(display, name, False);
}

static void tell(const char* what, long b, long c, long d, long e) {
  XEvent event = {0};
  event.xclient.type = ClientMessage;
  event.xclient.window = target;
  event.xclient.message_type = atom(what);
  event.xclient.format = 32;
  event.xclient.data.l[0] = (long)source;
  event.xclient.data.l[1] = b;
  event.xclient.data.l[2] = c;
  event.xclient.data.l[3] = d;
  event.xclient.data.l[4] = e;
  XSendEvent(display, target, False, NoEventMask, &event);
  XFlush(display);
}

static void give(const XSelectionRequestEvent* asked, const char* list) {
  XEvent answer = {0};
  XChangeProperty(display, asked->requestor, asked->property, asked->target, 8, PropModeReplace,
                  (const unsigned char*)list, (int)strlen(list));
  answer.xselection.type = SelectionNotify;
  answer.xselection.requestor = asked->requestor;
  answer.xselection.selection = asked->selection;
  answer.xselection.target = asked->target;
  answer.xselection.property = asked->property;
  answer.xselection.time = asked->time;
  XSendEvent(display, asked->requestor, False, NoEventMask, &answer);
  XFlush(display);
}

/* Waits for a message, giving the list to whoever asks for it meanwhile; false where none comes. */
static int wait_for(const char* what, const char* list, XEvent* event) {
  for (;;) {
    while (XPending(display) > 0) {
      XNextEvent(display, event);
      if (event->type == SelectionRequest) give(&event->xselectionrequest, list);
      if (event->type == ClientMessage && event->xclient.message_type == atom(what)) return 1;
    }
    struct pollfd connection = {ConnectionNumber(display), POLLIN, 0};
    if (poll(&connection, 1, kPatienceMs) <= 0) return 0;
  }
}

/* The files as URIs, a line each; what is no plain letter of a path by its code. */
static int write_list(char** files, int count, char* list) {
  char* at = list;
  for (int i = 0; i < count; ++i) {
    if (strlen(files[i]) * 3 + 16 > (size_t)(list + kMostBytes - at)) return 0;
    at += sprintf(at, "file://");
    for (const unsigned char* c = (const unsigned char*)files[i]; *c != 0; ++c) {
      const int plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                        strchr("/-._~", *c) != NULL;
      at += plain ? sprintf(at, "%c", *c) : sprintf(at, "%%%02X", *c);
    }
    at += sprintf(at, "\r\n");
  }
  return 1;
}

int main(int argc, char** argv) {
  static char list[kMostBytes];
  XEvent event;
  XWindowAttributes shape;
  Window unused;
  int x = 0;
  int y = 0;
  display = XOpenDisplay(NULL);
  if (argc < 3 || display == NULL || !write_list(argv + 2, argc - 2, list)) return 2;
  target = strtoul(argv[1], NULL, 0);
  source = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
  XSetSelectionOwner(display, atom("XdndSelection"), source, CurrentTime);
  if (XGetWindowAttributes(display, target, &shape) == 0) return 2;
  XTranslateCoordinates(display, target, shape.root, shape.width / 2, shape.height / 2, &x, &y, &unused);
  tell("XdndEnter", (long)kVersion << 24, (long)atom("text/uri-list"), 0, 0);
  tell("XdndPosition", 0, (long)x << 16 | y, CurrentTime, (long)atom("XdndActionCopy"));
  if (!wait_for("XdndStatus", list, &event)) return 2;
  if ((event.xclient.data.l[1] & 1) == 0) return 1;
  tell("XdndDrop", 0, CurrentTime, 0, 0);
  if (!wait_for("XdndFinished", list, &event)) return 2;
  const int taken = event.xclient.data.l[1] != 0; /* a bit by the protocol; GLFW 3.3 says how many bytes it took */
  XCloseDisplay(display);
  return taken ? 0 : 1;
}
