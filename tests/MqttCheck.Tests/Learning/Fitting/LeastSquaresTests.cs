using MqttCheck.Learning.Fitting;

namespace MqttCheck.Tests.Learning.Fitting;

public sealed class LeastSquaresTests
{
    // Longley (1967), in the order y, x1 .. x6; NIST Statistical Reference Datasets, "Longley".
    private static readonly double[][] Longley =
    [
        [60323, 83.0, 234289, 2356, 1590, 107608, 1947],
        [61122, 88.5, 259426, 2325, 1456, 108632, 1948],
        [60171, 88.2, 258054, 3682, 1616, 109773, 1949],
        [61187, 89.5, 284599, 3351, 1650, 110929, 1950],
        [63221, 96.2, 328975, 2099, 3099, 112075, 1951],
        [63639, 98.1, 346999, 1932, 3594, 113270, 1952],
        [64989, 99.0, 365385, 1870, 3547, 115094, 1953],
        [63761, 100.0, 363112, 3578, 3350, 116219, 1954],
        [66019, 101.2, 397469, 2904, 3048, 117388, 1955],
        [67857, 104.6, 419180, 2822, 2857, 118734, 1956],
        [68169, 108.4, 442769, 2936, 2798, 120445, 1957],
        [66513, 110.8, 444546, 4681, 2637, 121950, 1958],
        [68655, 112.6, 482704, 3813, 2552, 123366, 1959],
        [69564, 114.2, 502601, 3931, 2514, 125368, 1960],
        [69331, 115.7, 518173, 4806, 2572, 127852, 1961],
        [70551, 116.9, 554894, 4007, 2827, 130081, 1962],
    ];

    [Test]
    public void Longley_data_give_the_certified_coefficients_and_standard_errors()
    {
        var fit = Fit(Longley.Select(row => (new[] { 1.0 }.Concat(row.Skip(1)).ToArray(), row[0])));

        // Certified values of NIST for this data set; its condition number is about 5e9.
        double[] coefficients =
        [
            -3482258.63459582,
            15.0618722713733,
            -0.0358191792925910,
            -2.02022980381683,
            -1.03322686717359,
            -0.0511041056535807,
            1829.15146461355,
        ];
        double[] errors =
        [
            890420.383607373,
            84.9149257747669,
            0.0334910077722432,
            0.488399681651699,
            0.214274163161675,
            0.226073200069370,
            455.478499142212,
        ];
        using (Assert.EnterMultipleScope())
        {
            for (var k = 0; k < coefficients.Length; k++)
            {
                Assert.That(
                    (fit.Coefficients[k], fit.StandardErrors[k]),
                    Is.EqualTo((coefficients[k], errors[k])).Within(1e-6).Percent
                );
            }
            Assert.That(fit.ResidualDeviation, Is.EqualTo(304.854073561965).Within(1e-6).Percent);
        }
    }

    [Test]
    public void Many_blocks_of_rows_give_the_same_as_one()
    {
        // The data repeated k times: the same coefficients, and s^2 scaled by (n - p) k / (n k - p).
        const int times = 200;
        var one = Fit(Longley.Select(row => (new[] { 1.0 }.Concat(row.Skip(1)).ToArray(), row[0])));
        var many = Fit(
            Enumerable
                .Range(0, times)
                .SelectMany(_ => Longley)
                .Select(row => (new[] { 1.0 }.Concat(row.Skip(1)).ToArray(), row[0]))
        );
        for (var k = 0; k < one.Coefficients.Length; k++)
            Assert.That(many.Coefficients[k], Is.EqualTo(one.Coefficients[k]).Within(1e-6).Percent);
        Assert.That(
            many.ResidualDeviation,
            Is.EqualTo(one.ResidualDeviation * Math.Sqrt(9.0 * times / (16 * times - 7))).Within(1e-6).Percent
        );
    }

    [Test]
    public void Dependent_columns_are_left_out_and_the_rest_is_as_without_them()
    {
        var rows = Longley.Select(row => (row[1], row[2], row[0])).ToList();
        var reduced = Fit(rows.Select(row => (new[] { 1, row.Item1, row.Item2 }, row.Item3)));
        var full = Fit(rows.Select(row => (new[] { 1, 0, row.Item1, 3 - 2 * row.Item1, row.Item2 }, row.Item3)));
        using (Assert.EnterMultipleScope())
        {
            Assert.That(full.Kept, Is.EqualTo(new[] { 0, 2, 4 }));
            Assert.That((full.Coefficients[3], full.Coefficients[1]), Is.EqualTo((0, 0)));
            foreach (var (a, b) in new[] { (0, 0), (2, 1), (4, 2) })
            {
                Assert.That(
                    (full.Coefficients[a], full.StandardErrors[a]),
                    Is.EqualTo((reduced.Coefficients[b], reduced.StandardErrors[b])).Within(1e-8).Percent
                );
            }
            Assert.That(full.ResidualDeviation, Is.EqualTo(reduced.ResidualDeviation).Within(1e-8).Percent);
        }
    }

    [Test]
    public void Too_few_rows_are_refused() =>
        Assert.That(() => Fit([([1, 2], 3), ([1, 3], 4)]), Throws.InvalidOperationException);

    private static LeastSquaresFit Fit(IEnumerable<(double[] X, double Y)> rows)
    {
        LeastSquares? regression = null;
        foreach (var (x, y) in rows)
            (regression ??= new(x.Length)).Add(x, y);
        return regression!.Solve();
    }
}
