using MqttCheck.Auditing.Promises;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Auditing.Promises;

[TestFixture]
public sealed class PredictionPromiseAuditTests
{
    [Test]
    public void Every_law_of_errors_has_cells_at_every_level_that_state_its_error()
    {
        var cells = new PredictionPromiseAudit().Cells;
        using (Assert.EnterMultipleScope())
        {
            Assert.That(cells.Select(cell => cell.Key), Is.Unique);
            foreach (var law in PredictionErrorLaw.All)
                Assert.That(
                    cells.Where(cell => cell.Variant == "errors: " + law.Name).Select(cell => cell.Promise).Distinct(),
                    Is.EquivalentTo(new double?[] { .2, .1, .05 }),
                    law.Name
                );
        }
    }

    // The deviation of 40 000 errors, within seven standard errors of a law with a kurtosis of at most 9. Seed 80. With
    // two degrees of freedom there is none. 3 sqrt(.15) = 1.162; sqrt(.85 + .15 9) = 1.483; sqrt(.9 + .1 16) = 1.581;
    // sqrt(5 / 3) = 1.291.
    [TestCase("normal", 1)]
    [TestCase("normal, 3 times as far in 15 %", 1.4832)]
    [TestCase("normal, 4 times as far in 10 %", 1.5811)]
    [TestCase("0, in 15 % of the cases 3", 1.1619)]
    [TestCase("1, in 15 % of the cases 3", 1.4832)]
    [TestCase("Student, 5 degrees of freedom", 1.291)]
    [TestCase("uniform", 1)]
    [TestCase("clusters", 1)]
    public void Errors_have_the_deviation_of_their_law(string name, double expected)
    {
        var law = PredictionErrorLaw.All.Single(one => one.Name == name);
        var random = RandomStream.For(80);
        // A training of its own for each error, because cases of one share clusters.
        var squares = Enumerable.Range(0, 40_000).Average(_ => Math.Pow(law.Begin(ref random)(ref random), 2));
        Assert.That(Math.Sqrt(squares), Is.EqualTo(expected).Within(5).Percent);
    }
}
