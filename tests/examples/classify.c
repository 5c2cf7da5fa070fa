/* Points of the planar test system: their classes under one scheme, the stable interval of a row, and the
 * areas of the stable regions. Prints CSV.
 *
 *     cc classify.c $(pkg-config --cflags --libs costab) */
#include <costab/costab.h>
#include <stdio.h>

enum { POINTS = 4 };

static int fail(const costab_error *error) {
    fprintf(stderr, "classify: %s\n", error->message);
    return 1;
}

int main(void) {
    costab_error error;
    costab_method rk4;
    costab_planar zigzag;
    if (costab_method_find("rk4", &rk4, &error) != COSTAB_OK ||
        costab_planar_init(&zigzag, COSTAB_ZIGZAG, &rk4, 1, 1, &error) != COSTAB_OK)
        return fail(&error);

    /* A batch of points: a, trace and determinant, scaled by the macro step. */
    static const double a[POINTS] = {-0.5, -0.5, 0, 0.5}, gamma[POINTS] = {-2, -2, 1, -5};
    static const double delta[POINTS] = {1, 12, 3, 0.25};
    costab_planar_point points[POINTS];
    costab_planar_points(&zigzag, POINTS, a, gamma, delta, points);
    puts("a,gamma,delta,spectral_radius,class");
    for (int k = 0; k < POINTS; k++)
        printf("%.17g,%.17g,%.17g,%.17g,%s\n", a[k], gamma[k], delta[k], points[k].spectral_radius,
               costab_class_name(points[k].class_code));

    /* The row a = -0.5, gamma = -2: the values of delta for which the scheme is stable. */
    costab_planar_slice slice = costab_planar_at(&zigzag, -0.5);
    costab_interval pieces[COSTAB_ROW_PIECES_MAX];
    int count = costab_planar_row(&slice, -2, pieces);
    puts("from,to");
    for (int k = 0; k < count; k++) printf("%.17g,%.17g\n", pieces[k].lower, pieces[k].upper);

    costab_areas areas;
    if (costab_planar_areas(&zigzag, -0.5, &areas, &error) != COSTAB_OK) return fail(&error);
    printf("area_ss,area_us\n%.17g,%.17g\n", areas.ss, areas.us);
    return 0;
}
