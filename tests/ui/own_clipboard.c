/* own_clipboard FILE: has a file as the clipboard's text until another program takes the clipboard. Prints a
 * line once it does. A text above a piece goes by pieces (ICCCM, section 2.7.2: INCR), as large ones do from
 * any program. Exit status 0: another program took it; 2: no display, no file, or nobody came for a minute.
 */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

enum { kPatienceMs = 60000, kPiece = 1 << 16 };

static Display* display;

struct Text {
  unsigned char* bytes;
  long size;
};

/* The one transfer by pieces that goes on. */
struct Transfer {
  XSelectionRequestEvent asked;
  long sent;
  int goes_on;
};

static int read_file(const char* name, struct Text* text) {
  FILE* const file = fopen(name, "rb");
  if (file == NULL) return 0;
  fseek(file, 0, SEEK_END);
  text->size = ftell(file);
  rewind(file);
  text->bytes = malloc((size_t)text->size + 1);
  const int whole =
      text->bytes != NULL && fread(text->bytes, 1, (size_t)text->size, file) == (size_t)text->size;
  fclose(file);
  return whole;
}

static void send_piece(const struct Text* text, struct Transfer* transfer) {
  const XSelectionRequestEvent* const asked = &transfer->asked;
  const long left = text->size - transfer->sent;
  const long piece = left < kPiece ? left : kPiece;
  XChangeProperty(display, asked->requestor, asked->property, asked->target, 8, PropModeReplace,
                  text->bytes + transfer->sent, (int)piece);
  transfer->sent += piece;
  transfer->goes_on = piece > 0; /* an empty piece is the end */
  XFlush(display);
}

static void answer(const struct Text* text, struct Transfer* transfer, const XSelectionRequestEvent* asked) {
  XEvent reply = {0};
  reply.xselection.type = SelectionNotify;
  reply.xselection.requestor = asked->requestor;
  reply.xselection.selection = asked->selection;
  reply.xselection.target = asked->target;
  reply.xselection.time = asked->time;
  if (asked->target == XInternAtom(display, "UTF8_STRING", False)) {
    reply.xselection.property = asked->property;
    if (text->size > kPiece) {
      XSelectInput(display, asked->requestor, PropertyChangeMask);
      XChangeProperty(display, asked->requestor, asked->property, XInternAtom(display, "INCR", False), 32,
                      PropModeReplace, (const unsigned char*)&text->size, 1);
      *transfer = (struct Transfer){.asked = *asked, .goes_on = 1};
    } else {
      XChangeProperty(display, asked->requestor, asked->property, asked->target, 8, PropModeReplace,
                      text->bytes, (int)text->size);
    }
  }
  XSendEvent(display, asked->requestor, False, NoEventMask, &reply);
  XFlush(display);
}

int main(int argc, char** argv) {
  struct Text text = {0};
  struct Transfer transfer = {0};
  display = XOpenDisplay(NULL);
  if (argc != 2 || display == NULL || !read_file(argv[1], &text)) return 2;
  const Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
  const Atom clipboard = XInternAtom(display, "CLIPBOARD", False);
  XSetSelectionOwner(display, clipboard, window, CurrentTime);
  if (XGetSelectionOwner(display, clipboard) != window) return 2;
  puts("ready");
  fflush(stdout);
  for (;;) {
    while (XPending(display) > 0) {
      XEvent event;
      XNextEvent(display, &event);
      if (event.type == SelectionClear) return 0;
      if (event.type == SelectionRequest) answer(&text, &transfer, &event.xselectionrequest);
      if (event.type == PropertyNotify && transfer.goes_on && event.xproperty.state == PropertyDelete &&
          event.xproperty.window == transfer.asked.requestor &&
          event.xproperty.atom == transfer.asked.property)
        send_piece(&text, &transfer);
    }
    struct pollfd connection = {ConnectionNumber(display), POLLIN, 0};
    if (poll(&connection, 1, kPatienceMs) <= 0) return 2;
  }
}
