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
    private const double SecondsOfRun = 10;

    // The bound of the issue: 999 of 1000 exchanges. Times are printed, since a busy machine moves the own ones.
    [TestCase("up1", ProtocolVersion.V311)]
    [TestCase("up2", ProtocolVersion.V5)]
    [Category("Whole")]
    [Platform("Linux")]
    public async Task The_exchanges_of_the_own_log_are_found(string profile, ProtocolVersion version)
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
            return;
        }
        var own = new ExchangeList();
        await using (capture)
        {
            var setup = FleetSetup.For(broker, ProfileFile.Read(profile), 60, FleetSetup.NewPrefix()) with
            {
                Seed = 1,
                Duration = TimeSpan.FromSeconds(SecondsOfRun),
                ProtocolVersion = version,
            };
            new FleetRun(setup, own, createWire: options => WireFactory.Create(options)).Run();
            await capture.StopAsync();
            File.Copy(capture.FilePath, In("own.pcapng"));
        }

        var turned = Turned.OfFile(In("own.pcapng"), Folder, request => request with { KeepsNames = true });

        var clients = Numbers(turned.Names, "client");
        var captured = turned
            .Exchanges.GroupBy(exchange => (clients.GetValueOrDefault(exchange.Client, -1), exchange.Message))
            .ToDictionary(group => group.Key, group => group.OrderBy(exchange => exchange.SentMicroseconds).ToList());
        var (found, errors) = Match(own.Exchanges, captured);
        var sorted = errors.Order().ToList();
        TestContext.Out.WriteLine(
            FormattableString.Invariant($"{profile}: {found} of {own.Exchanges.Count} found; latencies differ by ")
                + FormattableString.Invariant($"{sorted[sorted.Count / 2]:0.0} us at the median, ")
                + FormattableString.Invariant($"{sorted[sorted.Count * 99 / 100]:0.0} us at p99")
        );
        Assert.That(found, Is.GreaterThanOrEqualTo(own.Exchanges.Count * 0.999));
        Assert.That(turned.Counts.Gaps, Is.Zero);
    }

    // The exchanges of a client come in the same order in both logs, kind by kind: the k-th of the one is the k-th of
    // the other, if all that can be told of it agrees.
    private static (int Found, List<double> Errors) Match(
        List<Exchange> own,
        Dictionary<(int, Clients.MessageKind), List<Exchange>> captured
    )
    {
        var found = 0;
        var errors = new List<double>();
        foreach (var group in own.GroupBy(exchange => (exchange.Client, exchange.Message)))
        {
            var theirs = captured.GetValueOrDefault(group.Key) ?? [];
            var mine = group.OrderBy(exchange => exchange.SentMicroseconds).ToList();
            for (var i = 0; i < Math.Min(mine.Count, theirs.Count); i++)
            {
                var (left, right) = (mine[i], theirs[i]);
                if (
                    left.Outcome != right.Outcome
                    || left.MessageSize != right.MessageSize
                    || left.TopicSize != right.TopicSize
                    || left.Qos != right.Qos
                    || left.Receivers != right.Receivers
                )
                    continue;
                found++;
                if (left.Outcome == ExchangeOutcome.Success)
                    errors.Add(Math.Abs(left.LatencyMilliseconds - right.LatencyMilliseconds) * 1000);
            }
        }
        return (found, errors);
    }

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
