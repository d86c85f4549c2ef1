using MqttCheck.Sequential.Runs;

namespace MqttCheck.Tests.Sequential.Runs;

public sealed class RunVariationTests
{
    // By hand: 2 x 10 x .2^2 over the variance .25 is 3.2. In R: qchisq(.1, 1) = .0157907740934.
    [Test]
    public void Two_runs_have_one_degree_of_freedom()
    {
        var variation = RunVariation.Of([new(3, 10), new(7, 10)]);
        Assert.That(variation.Inflation, Is.EqualTo(3.2).Within(1e-12));
        Assert.That(variation.InflationBound, Is.EqualTo(3.2 / .0157907740934).Within(1e-6));
        Assert.That(variation.Rho, Is.EqualTo(2.2 / 9).Within(1e-12));
    }

    // In R: chisq.test(matrix(c(5, 5, 18, 2), 2), correct = FALSE)$statistic; 15 sequences in a run on average.
    [Test]
    public void Runs_of_unequal_length_weigh_as_in_a_chi_square_test()
    {
        var variation = RunVariation.Of([new(5, 10), new(18, 20)]);
        Assert.That(
            (variation.Inflation, variation.Rho),
            Is.EqualTo((5.962732919254658, 4.962732919254658 / 14)).Within(1e-9)
        );
    }

    // Runs more alike than chance lets them be do not make a test bolder; one run tells no bound, and runs of one
    // sequence cannot show a correlation.
    [Test]
    public void What_cannot_differ_varies_as_much_as_independent_outcomes()
    {
        Assert.That(
            (RunVariation.Of([new(5, 10), new(5, 10), new(5, 10)]), RunVariation.Of([new(3, 10)])),
            Is.EqualTo((new RunVariation(1, 1, 0), new RunVariation(1, null, 0)))
        );
        Assert.That(RunVariation.Of([new(1, 1), new(0, 1), new(0, 1)]).Rho, Is.Zero);
    }

    // (R - 1) / chi2(.1; R - 1), and chi2(.1; 2) = .2107210.
    [Test]
    public void Runs_without_a_miss_have_the_bound_of_their_number()
    {
        var variation = RunVariation.Of([new(10, 10), new(20, 20), new(10, 10)]);
        Assert.That((variation.Inflation, variation.Rho), Is.EqualTo((1.0, 0.0)));
        Assert.That(variation.InflationBound, Is.EqualTo(2 / .2107210).Within(1e-4));
    }
}
