using System.Globalization;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Statistics;

public sealed class IntervalTests
{
    [TestCase(.25, true)]
    [TestCase(.75, true)]
    [TestCase(.5, true)]
    [TestCase(.2499, false)]
    [TestCase(.7501, false)]
    [TestCase(double.NaN, false)]
    public void An_interval_holds_its_ends_and_what_lies_between(double value, bool isInside) =>
        Assert.That(new Interval(.25, .75).Contains(value), Is.EqualTo(isInside));

    [Test]
    public void The_half_width_is_half_of_the_distance_of_the_ends() =>
        Assert.That(new Interval(.25, 1).HalfWidth, Is.EqualTo(.375));

    [Test]
    public void It_is_written_with_four_decimals_whatever_the_culture()
    {
        var before = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = new CultureInfo("") { NumberFormat = { NumberDecimalSeparator = "," } };
            Assert.That(new Interval(.25, 1 / 3.0).ToString(), Is.EqualTo("[0.25, 0.3333]"));
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }
}
