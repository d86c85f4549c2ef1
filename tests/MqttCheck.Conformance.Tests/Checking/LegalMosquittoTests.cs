using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Checking;

/// <summary>
/// Scenarios in which Mosquitto does what the standard allows, although it looks like a violation. Each was once
/// reported as one.
/// </summary>
[TestFixture, Platform("Linux,MacOsX")]
[Category("Whole")]
internal sealed class LegalMosquittoTests : DirectoryFixture
{
    private const int Repetitions = 3;

    // 3.1.2.11.2: the second CONNECT makes a session of one second, also where its client leaves before the CONNACK.
    [Test]
    public async Task A_session_is_present_that_a_client_made_and_left_before_its_CONNACK()
    {
        Installed.Require("mosquitto");
        await AssertNothingIsFound(
            "mosquitto",
            """
            A connect resume expiry=1
            A disconnect
            A wait 3500ms
            A connect resume expiry=1
            & A disconnect
            A connect resume
            """,
            "session present 1"
        );
    }

    // 3.2.2-12 has a will refused whose QoS is above Maximum QoS. 3.2.2.3.4 lets the broker end with 0x9B a connection
    // that publishes at such a QoS, even before the client could know.
    [Test]
    public async Task Maximum_QoS_1_refuses_what_asks_for_QoS_2(
        [Values("A connect clean will=~/a:2", "A connect clean\n& A publish ~/a qos=2")] string scenario
    )
    {
        Installed.Require("mosquitto");
        var settings = In("mosquitto.conf");
        const string text = "listener {port} 127.0.0.1\\nallow_anonymous true\\nmax_qos 1\\n";
        await AssertNothingIsFound(
            $"exec:sh -c 'printf \"{text}\" > {settings}; exec mosquitto -c {settings}'",
            scenario,
            "QosNotSupported"
        );
    }

    private static async Task AssertNothingIsFound(string name, string text, string answer)
    {
        await using var broker = await new BrokerLauncher(new BrokerLaunchOptions()).StartAsync(
            BrokerSpecification.Parse(name),
            CancellationToken.None
        );
        using var wire = WireFactory.Create(new WireOptions());
        var scenario = ScenarioText.Parse(text, ProtocolVersion.V5, "test");
        var results = new ConformanceCheck(wire, new CheckTarget(broker.Endpoint), "t", new CheckOptions()).Replay(
            scenario,
            Repetitions,
            CancellationToken.None
        );
        Assert.That(results, Has.Count.EqualTo(Repetitions));
        foreach (var result in results)
        {
            var trace = result.Monitor.Trace;
            var transcript = string.Join("\n", Transcript.Last(trace, result.Names, trace.Count));
            Assert.That(result.Deviations, Is.Empty, transcript);
            Assert.That(transcript, Does.Contain(answer));
        }
    }
}
