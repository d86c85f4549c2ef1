namespace MqttCheck.Statistics;

/// <summary>
/// The quantile function of the standard normal law: Wichura's algorithm AS 241 (PPND16, Applied Statistics 37, 1988),
/// with about 16 correct digits.
/// </summary>
internal static class NormalQuantile
{
    // The limit of the central approximation, and the limit between the two approximations of the tails.
    private const double Central = .425,
        Near = 5;

    /// <summary>The x with P(X &lt;= x) = p.</summary>
    /// <param name="p">In 0 .. 1; the ends give infinities.</param>
    public static double At(double p)
    {
        var q = p - .5;
        if (Math.Abs(q) <= Central)
        {
            var r = Central * Central - q * q;
            return q
                * (
                    (
                        (
                            (
                                (
                                    (
                                        (2.5090809287301226727e3 * r + 3.3430575583588128105e4) * r
                                        + 6.7265770927008700853e4
                                    ) * r
                                    + 4.5921953931549871457e4
                                ) * r
                                + 1.3731693765509461125e4
                            ) * r
                            + 1.9715909503065514427e3
                        ) * r
                        + 1.3314166789178437745e2
                    ) * r
                    + 3.3871328727963666080
                )
                / (
                    (
                        (
                            (
                                (
                                    (
                                        (5.2264952788528545610e3 * r + 2.8729085735721942674e4) * r
                                        + 3.9307895800092710610e4
                                    ) * r
                                    + 2.1213794301586595867e4
                                ) * r
                                + 5.3941960214247511077e3
                            ) * r
                            + 6.8718700749205790830e2
                        ) * r
                        + 4.2313330701600911252e1
                    ) * r
                    + 1
                );
        }
        var tail = Tail(Math.Sqrt(-Math.Log(q < 0 ? p : 1 - p)));
        return q < 0 ? -tail : tail;
    }

    // Hot loop: draws of normal laws come here, and Horner's rule is fastest when it is written out.
    private static double Tail(double distance)
    {
        if (distance <= Near)
        {
            var r = distance - 1.6;
            return (
                    (
                        (
                            (
                                (
                                    (
                                        (7.74545014278341407640e-4 * r + 2.27238449892691845833e-2) * r
                                        + 2.41780725177450611770e-1
                                    ) * r
                                    + 1.27045825245236838258
                                ) * r
                                + 3.64784832476320460504
                            ) * r
                            + 5.76949722146069140550
                        ) * r
                        + 4.63033784615654529590
                    ) * r
                    + 1.42343711074968357734
                )
                / (
                    (
                        (
                            (
                                (
                                    (
                                        (1.05075007164441684324e-9 * r + 5.47593808499534494600e-4) * r
                                        + 1.51986665636164571966e-2
                                    ) * r
                                    + 1.48103976427480074590e-1
                                ) * r
                                + 6.89767334985100004550e-1
                            ) * r
                            + 1.67638483018380384940
                        ) * r
                        + 2.05319162663775882187
                    ) * r
                    + 1
                );
        }
        if (double.IsInfinity(distance))
            return distance;
        var far = distance - Near;
        return (
                (
                    (
                        (
                            (
                                (
                                    (2.01033439929228813265e-7 * far + 2.71155556874348757815e-5) * far
                                    + 1.24266094738807843860e-3
                                ) * far
                                + 2.65321895265761230930e-2
                            ) * far
                            + 2.96560571828504891230e-1
                        ) * far
                        + 1.78482653991729133580
                    ) * far
                    + 5.46378491116411436990
                ) * far
                + 6.65790464350110377720
            )
            / (
                (
                    (
                        (
                            (
                                (
                                    (2.04426310338993978564e-15 * far + 1.42151175831644588870e-7) * far
                                    + 1.84631831751005468180e-5
                                ) * far
                                + 7.86869131145613259100e-4
                            ) * far
                            + 1.48753612908506148525e-2
                        ) * far
                        + 1.36929880922735805310e-1
                    ) * far
                    + 5.99832206555887937690e-1
                ) * far
                + 1
            );
    }
}
