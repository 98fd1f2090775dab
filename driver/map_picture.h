/* map_picture.h - a placement (the JSON of --map-json) as SVG. */
#ifndef PIPELINK_DRIVER_MAP_PICTURE_H
#define PIPELINK_DRIVER_MAP_PICTURE_H

#include "support.h"

#include <jansson.h>

/* Appends the picture. -EBADMSG when the JSON is no placement; -ENOMEM. */
pl_status map_picture_draw(const json_t *map, pl_buffer *svg);

#endif
