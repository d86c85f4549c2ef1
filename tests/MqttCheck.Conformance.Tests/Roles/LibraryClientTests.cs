using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Roles;

/// <summary>Real clients against the broker that is played, and faults that are planted in them.</summary>
[TestFixture]
internal sealed class LibraryClientTests : DirectoryFixture
{
    private static readonly TimeSpan s_budget = TimeSpan.FromMinutes(1);

    /// <summary>Library, version, fault, the statement that it violates, and a script that shows it.</summary>
    private static readonly TestCaseData[] s_faults =
    [
        new("paho", "311", "no-dup", "MQTT-3.3.1-1", "accept; hold puback; await publish count=2; close; accept"),
        new("paho", "311", "no-pubrel", "MQTT-4.3.3-1", "accept"),
        new("paho", "311", "no-puback", "MQTT-4.3.2-2", "accept; await subscribe; send qos=1"),
        new("paho", "311", "reversed-puback", "MQTT-4.6.0-2", "accept; await subscribe; send qos=1 count=2"),
        new("paho", "311", "no-ping", "MQTT-3.1.2-23", "accept; wait ms=6000"),
        new("mqttjs", "5", "second-connect", "section 3.1", "accept; await publish"),
        new("mqttjs", "5", "no-server-keep-alive", "MQTT-3.2.2-21", "accept keepalive=1; wait ms=5000"),
        new("mqttjs", "5", "wrong-puback", "MQTT-2.2.1-5", "accept; await subscribe; send qos=1"),
        new("mqttjs", "5", "no-pubcomp", "MQTT-4.3.3-11", "accept; await subscribe; send qos=2"),
        new("mqttjs", "5", "reversed-puback", "MQTT-4.6.0-2", "accept; await subscribe; send qos=1 count=2"),
        new("mqttnet", "5", "no-pubrec", "MQTT-4.3.3-8", "accept; await subscribe; send qos=2"),
        new("mqttnet", "5", "reversed-pubrec", "MQTT-4.6.0-3", "accept; await subscribe; send qos=2 count=2"),
        new("mqttnet", "5", "no-pubrel", "MQTT-4.3.3-4", "accept"),
        new("mqttnet", "5", "auth", "MQTT-4.12.0-7", "accept"),
        new("mqttnet", "5", "no-ping", "MQTT-3.1.2-20", "accept; wait ms=6000"),
    ];

    /// <summary>The statements that a library violates without a planted fault; see docs/evidence/clients.md.</summary>
    private static readonly Dictionary<string, string[]> s_own = new()
    {
        ["paho"] = ["MQTT-4.8.0-1"],
        ["mqttjs"] =
        [
            "MQTT-3.2.2-5",
            "MQTT-3.2.2-11",
            "MQTT-3.2.2-14",
            "MQTT-3.2.2-15",
            "MQTT-3.3.1-1",
            "MQTT-3.3.4-7",
            "section 4.13",
        ],
        ["mqttnet"] =
        [
            "MQTT-2.2.1-3",
            "MQTT-3.2.2-4",
            "MQTT-3.2.2-11",
            "MQTT-3.2.2-14",
            "MQTT-3.2.2-15",
            "MQTT-3.2.2-21",
            "MQTT-3.3.4-7",
            "MQTT-4.6.0-4",
            "section 4.13",
            "section 4.3.3",
        ],
    };

    public static IEnumerable<TestCaseData> Faults => s_faults;

    public static IEnumerable<TestCaseData> QuickFaults => [s_faults[1], s_faults[7], s_faults[13]];

    [TestCaseSource(nameof(QuickFaults))]
    public async Task A_script_shows_the_fault(
        string library,
        string version,
        string fault,
        string statement,
        string script
    )
    {
        var run = await ClientPrograms.PlayAsync(await ClientPrograms.FaultyAsync(library, version, fault), script);
        Assert.That(
            run.Deviations.Select(deviation => deviation.Statement.Id(run.Version!.Value)),
            Does.Contain(statement),
            run.Output
        );
    }

    [TestCase("paho", "311")]
    [TestCase("mqttjs", "5")]
    [TestCase("mqttnet", "5")]
    public async Task A_plain_run_shows_nothing(string library, string version)
    {
        var words = await ClientPrograms.WordsAsync(library, version);
        var run = await ClientPrograms.PlayAsync(words, "accept; await subscribe; send qos=1 count=2; send qos=2");
        Assert.That(run.HasConnected, run.Output);
        Assert.That(run.Deviations.Select(deviation => $"{deviation.Key}: {deviation.Explanation}"), Is.Empty);
        Assert.That(run.Exercised.Count, Is.GreaterThan(8));
    }

    [Test]
    public async Task A_bridge_of_Mosquitto_answers_and_comes_back()
    {
        Installed.Require("mosquitto");
        var run = await ClientPrograms.PlayAsync(
            ClientPrograms.Bridge(Folder),
            "accept; await subscribe; hold puback pubrec; send qos=2 count=3; wait ms=500; close; accept; send qos=1"
        );
        Assert.That(run.HasConnected, run.Output);
        Assert.That(run.Trace.Count(entry => entry.Kind == TraceKind.Opened), Is.GreaterThan(1));
        Assert.That(run.Deviations.Select(deviation => $"{deviation.Key}: {deviation.Explanation}"), Is.Empty);
    }

    [Explicit("A minute for each; the figures are in docs/evidence/clients.md.")]
    [TestCaseSource(nameof(Faults))]
    public async Task A_check_of_a_minute_finds_the_fault(
        string library,
        string version,
        string fault,
        string statement,
        string script
    )
    {
        var report = await ClientPrograms.CheckAsync(
            await ClientPrograms.FaultyAsync(library, version, fault),
            s_budget,
            s_own[library],
            version == "5" ? ProtocolVersion.V5 : ProtocolVersion.V311
        );
        await TestContext.Out.WriteLineAsync(
            $"{library} {fault}: "
                + string.Join(
                    "; ",
                    report.Findings.Select(finding =>
                        $"{finding.Id} {finding.Deviation.Circumstances} [{finding.Script}]"
                    )
                )
        );
        Assert.That(report.Findings.Select(finding => finding.Id), Does.Contain(statement), script);
    }
}
