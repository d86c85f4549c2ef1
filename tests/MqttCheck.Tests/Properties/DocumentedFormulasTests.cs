using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Properties;
using MqttCheck.Properties.Traces;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;
using MqttCheck.Tests.Properties.Live;

namespace MqttCheck.Tests.Properties;

/// <summary>
/// The formulas of docs/reference/checking.md on the model of the repository and on a log with every kind of message.
/// </summary>
[TestFixture]
internal sealed partial class DocumentedFormulasTests
{
    private static readonly Lazy<LearnedModel> s_model = new(() =>
        LatencyModelFile.Read(RepositoryFiles.At("models/embedded-example.json"))
    );

    // The values that version 0.1.0 (commit 88a3e8f) gave, before formulas could say nothing; NaN where a simulation
    // knows no acknowledgements.
    [TestCase("P[ G<=10msg latency(publish) < 50ms ]", 1, 0.95)]
    [TestCase("P[ G (subscribe => F<=200ms publish) ]", 0.011000000000000003, 1)]
    [TestCase("P[ F<=2s count >= 10 ]", 0.225, 1)]
    [TestCase("P>=0.95[ G<=10msg latency < 50ms ]", 1, 0.9)]
    [TestCase("P[ G latency(publish) < 50ms ]", 1, 0.95)]
    [TestCase("P[ G latency < 12ms ]", 0.6585000000000001, 0.33)]
    [TestCase("P[ F count(publish) >= 3 ]", 0.8454999999999999, 1)]
    [TestCase("P[ G failures = 0 ]", 1, 0.9)]
    [TestCase("P[ G elapsed < 2s ]", 0.225, 1)]
    [TestCase("P[ G acknowledgement(publish) < 50ms ]", double.NaN, 1)]
    [TestCase("P[ (latency < 12ms) U publish ]", 0.9180000000000006, 0.8866666666666667)]
    [TestCase("E[ max latency(publish) ]", 9.165055725176805, double.PositiveInfinity)]
    [TestCase("Q0.95[ max latency ]", 17.596386932874793, double.PositiveInfinity)]
    public void The_formulas_of_the_documentation_keep_their_values(string text, double simulated, double logged)
    {
        var property = TraceProperty.Parse(text);
        if (!property.UsesAcknowledgements)
        {
            var answer = PropertyEstimator.Simulate(
                property,
                s_model.Value.Model,
                ProfileFile.Read("up1"),
                20,
                new() { Seed = 1, Replications = 100 }
            );
            Assert.That(answer.Estimate, Is.EqualTo(simulated).Within(1e-12));
        }
        Assert.That(PropertyEstimator.OfLog(property, Log(), new(), []).Estimate, Is.EqualTo(logged).Within(1e-12));
    }

    // A formula that is documented and not in the list above would go unwatched.
    [Test]
    public void Every_property_of_the_documentation_can_be_read_and_asked()
    {
        var page = File.ReadAllText(RepositoryFiles.At("docs/reference/checking.md"));
        string[] texts = [.. Property().Matches(page).Select(match => match.Groups[1].Value).Distinct()];
        Assert.That(texts, Has.Length.GreaterThanOrEqualTo(8), "the page was read");
        var refused = texts.Where(text =>
            text.StartsWith("P[ latency(", StringComparison.Ordinal)
            || text.StartsWith("P[ !(", StringComparison.Ordinal)
        );
        foreach (var text in texts)
        {
            var property = TraceProperty.Parse(text);
            if (refused.Contains(text))
                Assert.That(() => PropertySense.RequireSense(property), Throws.TypeOf<InputException>(), text);
            else
                Assert.That(() => PropertySense.RequireSense(property), Throws.Nothing, text);
        }
    }

    // Whole properties only: "P[ f ]" of a table is none.
    [System.Text.RegularExpressions.GeneratedRegex(
        @"[`']((?:P|P>=[0-9.]+|P<=[0-9.]+|E|Q[0-9.]+|D)\[ (?![fm] )[^\]`']* \](?: [<>]=? [0-9.]+[a-z]*)?)[`']"
    )]
    private static partial System.Text.RegularExpressions.Regex Property();

    // Five runs of 60 sequences; every 97th exchange fails.
    private static IEnumerable<Exchange> Log() =>
        LiveExchanges
            .Drawn(
                new LogNormalLaw(8, .3),
                runs: 5,
                sequences: 60,
                [
                    MessageKind.Connect,
                    MessageKind.Publish,
                    MessageKind.Subscribe,
                    MessageKind.Publish,
                    MessageKind.Unsubscribe,
                    MessageKind.Publish,
                    MessageKind.Publish,
                    MessageKind.Disconnect,
                    MessageKind.Connect,
                    MessageKind.Publish,
                ]
            )
            .Select(exchange =>
                exchange.IssueIndex % 97 == 96
                    ? exchange with
                    {
                        LatencyMilliseconds = double.NaN,
                        Outcome = ExchangeOutcome.Timeout,
                    }
                    : exchange
            );
}
