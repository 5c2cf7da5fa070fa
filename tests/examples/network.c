/* A network from plain arrays: a motor held in position and its load on an elastic shaft. Its class and
 * spectral radius at one macro step, and the macro steps for which each coupling is stable. Prints CSV.
 *
 *     cc network.c $(pkg-config --cflags --libs costab) */
#include <costab/costab.h>
#include <stdio.h>

static int fail(const costab_error *error) {
    fprintf(stderr, "network: %s\n", error->message);
    return 1;
}

/* Matrices are row-major. The motor has the states angle and speed, which are its outputs; torque drives it.
 */
static const double motor_A[] = {0, 1, -200, -10}, motor_B[] = {0, 10}, motor_C[] = {1, 0, 0, 1};
/* The load computes the shaft's torque from both ends: y = C x + D u. */
static const double load_A[] = {0, 1, -100, -0.4}, load_B[] = {0, 0, 100, 0.4};
static const double load_C[] = {50, 0.2}, load_D[] = {-50, -0.2};

int main(void) {
    costab_error error;
    costab_subsystem parts[] = {
        {.name = "motor", .states = 2, .inputs = 1, .outputs = 2, .A = motor_A, .B = motor_B, .C = motor_C},
        {.name = "load",
         .states = 2,
         .inputs = 2,
         .outputs = 1,
         .A = load_A,
         .B = load_B,
         .C = load_C,
         .D = load_D}};
    for (int s = 0; s < 2; s++) {
        parts[s].substeps = 10; /* micro steps per macro step */
        if (costab_method_find("rk4", &parts[s].method, &error) != COSTAB_OK) return fail(&error);
    }
    static const costab_connection connections[] = {{.from = 0, .output = 0, .to = 1, .input = 0, .gain = 1},
                                                    {.from = 0, .output = 1, .to = 1, .input = 1, .gain = 1},
                                                    {.from = 1, .output = 0, .to = 0, .input = 0, .gain = 1}};
    costab_network network = {
        .subsystem_count = 2, .subsystems = parts, .connection_count = 3, .connections = connections};
    if (costab_network_check(&network, &error) != COSTAB_OK) return fail(&error);

    /* The map of one macro step. A workspace serves any number of points; every thread has its own. */
    costab_network_work *work = NULL;
    costab_network_point point;
    costab_coupling jacobi = {.scheme = COSTAB_JACOBI, .macro_step = 0.01};
    costab_status status = costab_network_work_create(&work, &error);
    if (!status) status = costab_network_analyse(work, &network, &jacobi, &point, &error);
    if (!status)
        printf("size,spectral_radius,class\n%d,%.17g,%s\n", point.size, point.spectral_radius,
               costab_class_name(point.class_code));
    costab_network_work_destroy(&work);
    if (status) return fail(&error);

    puts("coupling,lower,upper,class");
    for (int c = 0; c < costab_coupling_count(); c++) {
        costab_coupling coupling = {.macro_step = 0.01};
        costab_limit_options range = {.lower = 0.0005, .upper = 0.5};
        costab_limit stable;
        if (costab_coupling_find(costab_coupling_name(c), &coupling, &error) != COSTAB_OK ||
            costab_limit_macro_step(&network, &coupling, &range, &stable, &error) != COSTAB_OK)
            return fail(&error);
        for (size_t k = 0; k < stable.count; k++)
            printf("%s,%.17g,%.17g,%s\n", costab_coupling_name(c), stable.pieces[k].from, stable.pieces[k].to,
                   costab_class_name(stable.pieces[k].class_code));
        costab_limit_free(&stable);
    }
    return 0;
}
