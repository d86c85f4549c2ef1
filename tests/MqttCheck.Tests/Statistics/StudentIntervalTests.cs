using MqttCheck.Statistics;

namespace MqttCheck.Tests.Statistics;

public sealed class StudentIntervalTests
{
    // Student's 97.5 % quantile with 2 degrees of freedom is 4.3027; the standard error of 1, 2, 3 is .57735.
    [Test]
    public void The_interval_is_as_wide_as_the_table_of_Student_says()
    {
        var interval = StudentInterval.Of([1, 2, 3], .05)!;
        Assert.That(
            (interval.Upper, interval.Lower),
            Is.EqualTo((2 + 4.3027 * .57735, 2 - 4.3027 * .57735)).Within(1e-3)
        );
    }

    [TestCase]
    [TestCase(4)]
    [TestCase(0, 0, 0)]
    public void Values_that_do_not_differ_have_none(params double[] values) =>
        Assert.That(StudentInterval.Of(values, .05), Is.Null);
}
