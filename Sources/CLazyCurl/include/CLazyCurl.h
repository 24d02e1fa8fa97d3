#pragma once
/* This module declares nothing; its functions replace those of libcurl at link time. Only the
   program may link it, not a library product. */
