using MqttCheck.Brokers.Fleets.Machine;

namespace MqttCheck.Brokers.Tests.Fleets.Machine;

[TestFixture]
public sealed class HostUsageTests
{
    // proc(5): user nice system idle iowait irq softirq steal guest guest_nice.
    [Test]
    public void What_was_wanted_is_what_ran_and_what_was_stolen() =>
        Assert.That(
            HostUsage.Parse("cpu  100 20 30 5000 600 7 8 40 90 9"),
            Is.EqualTo(new HostUsage(100 + 20 + 30 + 7 + 8 + 40, 40))
        );

    [TestCase("")]
    [TestCase("cpu0 1 2 3 4 5 6 7 8 9 10")]
    [TestCase("cpu  1 2 3 4")]
    public void Another_line_says_nothing(string line) => Assert.That(HostUsage.Parse(line), Is.Null);

    [TestCase(200, 20, ExpectedResult = 0.1)]
    [TestCase(200, 0, ExpectedResult = 0.0)]
    [TestCase(0, 0, ExpectedResult = double.NaN)]
    public double The_stolen_share_is_of_what_was_wanted(long wanted, long stolen) =>
        new HostUsage(1000 + wanted, 5 + stolen).StolenShareSince(new HostUsage(1000, 5));

    [Test]
    [Platform("Linux")]
    public void This_machine_tells_it() => Assert.That(HostUsage.Read()?.WantedTicks, Is.GreaterThan(0));
}
