/* With SHARED defined, the same test speaks of a filter for many threads: what holds for one handle holds for the other. */
#ifndef HANDLE_H
#define HANDLE_H

#ifdef SHARED

#define lately_filter_new lately_shared_new
#define lately_filter_load lately_shared_load
#define lately_filter_load_pieces lately_shared_load_pieces
#define lately_filter_open lately_shared_open

#endif

#endif
