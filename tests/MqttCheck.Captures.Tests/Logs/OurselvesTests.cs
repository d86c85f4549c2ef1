using System.Text.RegularExpressions;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Captures;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;

namespace MqttCheck.Captures.Tests.Logs;

/// <summary>A fleet is captured beside its run, and the log of the capture is held against the fleet's own.</summary>
[TestFixture]
internal sealed partial class OurselvesTests : DirectoryFixture
{
    private const double LeastFound = .999;

    // Times are printed, since a busy machine moves the own ones.
    [TestCase("up1", ProtocolVersion.V311)]
    [TestCase("up2", ProtocolVersion.V5)]
    [Category("Whole")]
    [Platform("Linux")]
    public async Task The_exchanges_of_the_own_log_are_found(string profile, ProtocolVersion version)
    {
        if (await RunAsync(profile, version, 60, 10, hasKernelStamps: false) is not var (own, turned))
            return;

        var pairs = Match(own.Exchanges, turned);

        Assert.That(pairs, Has.Count.GreaterThanOrEqualTo(own.Exchanges.Count * LeastFound));
        Assert.That(turned.Counts.Gaps, Is.Zero);
        Print(profile, own, pairs);
    }

    // The fleet stamps what it sends in its own thread, which may wait for a processor before or after. The kernel's
    // stamps do not know of that.
    [TestCase("up1", 50, false)]
    [TestCase("up1", 50, true)]
    [TestCase("up1", 120, false)]
    [TestCase("up1", 120, true)]
    [TestCase("up2", 50, false)]
    [TestCase("up2", 50, true)]
    [TestCase("up2", 120, false)]
    [TestCase("up2", 120, true)]
    [Explicit("two minutes on an idle machine")]
    [Platform("Linux")]
    public async Task The_times_of_both_logs_are_equal_within_100_us(string profile, int clients, bool hasKernelStamps)
    {
        if (await RunAsync(profile, ProtocolVersion.V311, clients, 10, hasKernelStamps) is not var (own, turned))
            return;

        var pairs = Match(own.Exchanges, turned);

        var name = $"{profile}, {clients} clients, sending stamped by {(hasKernelStamps ? "the kernel" : "the fleet")}";
        var latency = Print(name, own, pairs);
        Assert.That(pairs, Has.Count.GreaterThanOrEqualTo(own.Exchanges.Count * LeastFound));
        Assert.That(latency, Is.LessThanOrEqualTo(100));
    }

    private async Task<(ExchangeList Own, Turned Turned)?> RunAsync(
        string profile,
        ProtocolVersion version,
        int clients,
        double seconds,
        bool hasKernelStamps
    )
    {
        Missing.Require("mosquitto", "apt-get install mosquitto");
        await using var broker = await new BrokerLauncher(new()).StartAsync(
            BrokerSpecification.Parse("mosquitto"),
            CancellationToken.None
        );
        var (capture, reason) = await PacketCapture.TryStartAsync(broker.Address, CancellationToken.None);
        if (capture is null)
        {
            Missing.Report(reason);
            return null;
        }
        var own = new ExchangeList();
        await using (capture)
        {
            var setup = FleetSetup.For(broker, ProfileFile.Read(profile), clients, FleetSetup.NewPrefix()) with
            {
                Seed = 1,
                Duration = TimeSpan.FromSeconds(seconds),
                ProtocolVersion = version,
                KernelSendStamps = hasKernelStamps,
            };
            new FleetRun(setup, own, createWire: options => WireFactory.Create(options)).Run();
            await capture.StopAsync();
            File.Copy(capture.FilePath, In("own.pcapng"));
        }
        return (own, Turned.OfFile(In("own.pcapng"), Folder, request => request with { KeepsNames = true }));
    }

    // The largest difference but of one latency in a hundred, in microseconds.
    private static double Print(string name, ExchangeList own, List<(Exchange Own, Exchange Captured)> pairs)
    {
        var ended = pairs.Where(pair => pair.Own.Outcome == ExchangeOutcome.Success).ToList();
        var zero = Quantile(.5, ended.Select(pair => pair.Captured.SentMicroseconds - pair.Own.SentMicroseconds));
        var latency = Errors(one => one.LatencyMilliseconds * 1000, 0);
        var (sent, end) = (Errors(one => one.SentMicroseconds, zero), Errors(one => one.EndMicroseconds, zero));
        TestContext.Out.WriteLine(
            FormattableString.Invariant($"{name}: {pairs.Count} of {own.Exchanges.Count} found; differences at the ")
                + FormattableString.Invariant($"median and p99, us: latency {latency.Median:0.0}, {latency.P99:0.0}; ")
                + FormattableString.Invariant($"sending {sent.Median:0.0}, {sent.P99:0.0}; ")
                + FormattableString.Invariant($"end {end.Median:0.0}, {end.P99:0.0}")
        );
        return latency.P99;

        (double Median, double P99) Errors(Func<Exchange, double> time, double offset)
        {
            var errors = ended.Select(pair => Math.Abs(time(pair.Captured) - time(pair.Own) - offset)).ToList();
            return (Quantile(.5, errors), Quantile(.99, errors));
        }
    }

    private static double Quantile(double share, IEnumerable<double> values)
    {
        var sorted = values.Order().ToList();
        return sorted[(int)(sorted.Count * share)];
    }

    // The exchanges of a client come in the same order in both logs, kind by kind: the k-th of the one is the k-th of
    // the other, if all that can be told of it agrees.
    private static List<(Exchange Own, Exchange Captured)> Match(List<Exchange> own, Turned turned)
    {
        var clients = Numbers(turned.Names, "client");
        var captured = turned
            .Exchanges.GroupBy(exchange => (clients.GetValueOrDefault(exchange.Client, -1), exchange.Message))
            .ToDictionary(group => group.Key, group => group.OrderBy(exchange => exchange.SentMicroseconds).ToList());
        var found = new List<(Exchange, Exchange)>();
        foreach (var group in own.GroupBy(exchange => (exchange.Client, exchange.Message)))
        {
            var mine = group.OrderBy(exchange => exchange.SentMicroseconds);
            found.AddRange(
                mine.Zip(captured.GetValueOrDefault(group.Key) ?? []).Where(pair => IsSame(pair.First, pair.Second))
            );
        }
        return found;
    }

    private static bool IsSame(in Exchange left, in Exchange right) =>
        left.Outcome == right.Outcome
        && left.MessageSize == right.MessageSize
        && left.TopicSize == right.TopicSize
        && left.Qos == right.Qos
        && left.Receivers == right.Receivers;

    // The fleet's names end with the number of the client.
    private static Dictionary<int, int> Numbers(string names, string kind) =>
        names
            .Split('\n')
            .Select(line => NumberedName().Match(line))
            .Where(match => match.Success && match.Groups["kind"].Value == kind)
            .ToDictionary(
                match => int.Parse(match.Groups["number"].Value, System.Globalization.CultureInfo.InvariantCulture),
                match => int.Parse(match.Groups["own"].Value, System.Globalization.CultureInfo.InvariantCulture)
            );

    [GeneratedRegex("^(?<kind>\\w+)\t(?<number>\\d+)\t.*?(?<own>\\d+)\t", RegexOptions.ExplicitCapture)]
    private static partial Regex NumberedName();
}
