using MqttCheck.Brokers.Fleets;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Tests.Fleets;

public sealed class FleetSetupTests
{
    private static readonly FleetSetup Valid = new VirtualRun().Setup;

    private static IEnumerable<TestCaseData> Invalid() =>
        [
            new(Valid with { Clients = 0 }, "Clients: 0 is out of range; allowed: 1 .. 20000."),
            new(Valid with { Duration = TimeSpan.FromSeconds(1) }, "either by counted sequences"),
            new(Valid with { CountedSequences = null }, "either by counted sequences"),
            new(
                Valid with
                {
                    CountedSequences = 0,
                },
                "Counted sequences per client: 0 is out of range; allowed: 1 .. 1000000."
            ),
            new(
                Valid with
                {
                    CountedSequences = null,
                    Duration = TimeSpan.Zero,
                },
                "Duration: 00:00:00 is out of range; allowed: above 0, up to 1 day."
            ),
            new(Valid with { Run = -1 }, "Run number: -1 is negative"),
            new(Valid with { Prefix = "a/+/" }, "Prefix: 'a/+/' is not allowed"),
            new(Valid with { Prefix = "$SYS/" }, "Prefix: '$SYS/' is not allowed"),
            new(Valid with { Prefix = "a" }, "Prefix: 'a' is not allowed"),
            new(Valid with { Prefix = "//" }, "Prefix: '//' is not allowed"),
            new(Valid with { ProtocolVersion = ProtocolVersion.V31 }, "Protocol version: V31 is not spoken"),
            new(
                Valid with
                {
                    ExchangeTimeout = TimeSpan.FromMilliseconds(1),
                },
                "Exchange timeout: 00:00:00.0010000 is out of range; allowed: 10 ms .. 10 min."
            ),
            new(
                Valid with
                {
                    ConnectPatience = TimeSpan.Zero,
                },
                "Connect patience: 00:00:00 is out of range; allowed: 100 ms .. 10 min."
            ),
            new(Valid with { MaximumRequestsPerSecond = 0 }, "Requests per second: 0 is out of range"),
            new(Valid with { MaximumRequestsPerSecond = double.NaN }, "Requests per second: NaN is out of range"),
            new(
                Valid with
                {
                    TimerCoalescing = TimeSpan.FromSeconds(1),
                },
                "Timer coalescing of 1000 ms is out of range; allowed: 0 .. 100 ms."
            ),
            new(Valid with { Credentials = new("", "secret") }, "the user name is empty"),
        ];

    [TestCaseSource(nameof(Invalid))]
    public void A_value_out_of_range_is_named_with_what_is_allowed(FleetSetup setup, string finding)
    {
        Assert.That(setup.Validate(), Has.Exactly(1).Items.And.All.Contain(finding));
        Assert.That(
            () => new FleetRun(setup, new ExchangeList()),
            Throws.TypeOf<InputException>().With.Message.Contains(finding)
        );
    }

    [Test]
    public void All_findings_are_told_together() =>
        Assert.That((Valid with { Clients = 0, Run = -1, Prefix = "#" }).Validate(), Has.Count.EqualTo(3));

    [Test]
    public void A_valid_setup_has_no_findings() => Assert.That(Valid.Validate(), Is.Empty);

    [Test]
    public void New_prefixes_are_valid_and_differ()
    {
        var prefixes = Enumerable.Range(0, 10).Select(_ => FleetSetup.NewPrefix()).ToArray();

        Assert.That(prefixes, Is.Unique.And.All.Match("^mqttcheck/[0-9a-f]{8}/$"));
        Assert.That((Valid with { Prefix = prefixes[0] }).Validate(), Is.Empty);
    }
}
