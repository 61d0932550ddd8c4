// card_house.h - a house of cards as MJCF text, for tests that need a large problem.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// `levels` rows of leaning pairs with a flat card over each gap; the caller frees the text.
static inline char *card_house(int levels) {
    const double lean = 0.35, length = 0.09, half = 0.0004, high = length * cos(lean),
                 wide = 2 * length * sin(lean) + 4 * half;
    const size_t room = 1024 + 400 * (size_t)(levels * (levels + 1) * 2);
    char *text = malloc(room), *at = text;
    if (!text) return NULL;
    at +=
        sprintf(at, "<mujoco><compiler angle='radian'/><option timestep='.005' cone='elliptic' impratio='50'/><default>"
                    "<geom type='box' friction='.8 .005 .0001' density='800'/></default>"
                    "<worldbody><geom type='plane' size='3 3 .1'/>");
    double z = 0;
    for (int level = 0; level < levels; level++, z += high + 4 * half)
        for (int p = 0; p < levels - level; p++) {
            const double x = wide * (p - 0.5 * (levels - level - 1));
            for (int s = -1; s <= 1; s += 2)
                at +=
                    sprintf(at, "<body pos='%.9g 0 %.9g' euler='0 %.9g 0'><freejoint/><geom size='%g .03 %g'/></body>",
                            x - s * (length / 2 * sin(lean) + half), z + high / 2 + half, s * lean, half, length / 2);
            if (p + 1 < levels - level)
                at += sprintf(at, "<body pos='%.9g 0 %.9g'><freejoint/><geom size='%g .03 %g'/></body>", x + wide / 2,
                              z + high + 3 * half, length / 2, half);
        }
    sprintf(at, "</worldbody></mujoco>");
    return text;
}
