using System.Text.Json;
using System.Xml.Linq;
using MqttCheck.App.Check;
using MqttCheck.App.Compare;
using MqttCheck.Cli.Check;
using MqttCheck.Cli.Compare;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Tests.Compare;
using MqttCheck.Comparison;
using MqttCheck.Reports.Input;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests.Results;

/// <summary>The results of verify, compare and check in every format.</summary>
[TestFixture]
internal sealed class ReportOutputTests : DirectoryFixture
{
    private static IEnumerable<TestCaseData> Outputs() =>
        [
            new TestCaseData(
                ReportStage.Output(new() { Verdicts = Verdicts }, DateTimeOffset.UnixEpoch),
                "up1, 130 clients, 20 ms",
                "worse"
            ).SetArgDisplayNames("verify"),
            new TestCaseData(
                CompareReport.Output(CompareReportTests.Comparison([TwoSampleVerdict.SecondFaster])),
                "up1, 100 clients, 20 ms",
                "b <1> is faster"
            ).SetArgDisplayNames("compare"),
            new TestCaseData(
                FindingsReport.Output(Findings, DateTimeOffset.UnixEpoch),
                "MQTT-3.8.4-6 (MUST, MQTT 3.1.1) QoS <2>",
                "violated"
            ).SetArgDisplayNames("check"),
        ];

    [TestCaseSource(nameof(Outputs))]
    public void Every_format_names_what_failed(ReportOutput output, string name, string summary)
    {
        var junit = XDocument.Parse(Written(output, ReportFormat.JUnit));
        var failed = junit.Descendants("testcase").Single(one => one.Element("failure") is not null);
        Assert.That((string?)failed.Attribute("name"), Does.Contain(name));
        Assert.That((string?)failed.Element("failure")!.Attribute("message"), Does.StartWith(summary + ": "));
        Assert.That((string)failed.Element("failure")!, Does.Contain("mqttcheck "), "how to repeat it");

        var annotations = Written(output, ReportFormat.GitHub).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.That(
            annotations,
            Has.Exactly(1).StartsWith("::error title=").And.Exactly(1).StartsWith("::notice title=MqttCheck%3A ")
        );
        Assert.That(annotations[0], Does.Contain(summary));

        using var json = JsonDocument.Parse(Written(output, ReportFormat.Json));
        Assert.That(json.RootElement.ValueKind, Is.EqualTo(JsonValueKind.Object));
        Assert.That(
            Written(output, ReportFormat.Markdown),
            Does.StartWith("# ").And.Not.Contain("<1>").And.Not.Contain("<2>")
        );
        Assert.That(
            Written(output, ReportFormat.Html),
            Does.StartWith("<!doctype html>").And.Not.Contain("b <1>").And.Not.Contain("QoS <2>")
        );
    }

    [Test]
    public void Comparisons_and_findings_read_back()
    {
        var (comparison, findings) = (In("c.json"), In("f.json"));
        CompareReport
            .Output(CompareReportTests.Comparison([TwoSampleVerdict.NoDifference]))
            .Write(comparison, ReportFormat.Json);
        Assert.That(CompareFile.Read(comparison).Points[0].Verdict, Is.EqualTo(TwoSampleVerdict.NoDifference));
        CheckFile.Write(findings, Findings);
        Assert.That(CheckFile.Read(findings).Findings[0].Statement, Is.EqualTo("MQTT-3.8.4-6"));
        WrongValue.AssertRefused(
            ("findings \"", () => CheckFile.Read(comparison)),
            ("mqttcheck compare", () => CompareFile.Read(In("none.json")))
        );
    }

    [Test]
    public async Task The_report_command_takes_each_kind_of_result()
    {
        var findings = In("f.json");
        CheckFile.Write(findings, Findings);
        var (code, screen) = await TestTool.RunAsync("report", "--findings", findings, "--format", "github");
        Assert.That(code, Is.EqualTo(ExitCode.Success));
        Assert.That(screen.Output, Does.StartWith("::error "));
        var page = In("sub/f.html");
        (code, _) = await TestTool.RunAsync("report", "--findings", findings, "--out", page);
        Assert.That(code, Is.EqualTo(ExitCode.Success));
        Assert.That(File.ReadAllText(page), Does.Contain("1 violation of a MUST"));
        await TestTool.AssertRefusedAsync(["report", "--findings", findings, "--comparison", findings]);
        await TestTool.AssertRefusedAsync(["report"], "nothing to report");
        await TestTool.AssertRefusedAsync(
            ["report", "--findings", findings, "--out", "x.pdf"],
            "'.pdf' is not allowed"
        );
    }

    private string Written(ReportOutput output, ReportFormat format)
    {
        var path = In(format.Name);
        output.Write(path, format);
        var screen = new TestScreen();
        output.Print(screen.Screen, format);
        var text = File.ReadAllText(path);
        Assert.That(screen.Output.TrimEnd(), Is.EqualTo(text.TrimEnd()), "printed and written");
        return text;
    }

    private static VerdictDocument Verdicts =>
        new()
        {
            ToolVersion = "1",
            Broker = new BrokerReport { Name = "embedded" },
            Prediction = "p.json",
            Log = "l.csv",
            Seed = 1,
            Repeat = "mqttcheck verify p.json",
            Verdicts =
            [
                new()
                {
                    Point = new("up1", 130, 20, .85, new(.83, .87)),
                    Kind = VerdictKind.Worse,
                    Reason = "because",
                },
            ],
        };

    private static CheckDocument Findings =>
        new()
        {
            Command = "mqttcheck check --broker some",
            Started = DateTimeOffset.UnixEpoch,
            BudgetSeconds = 1,
            Broker = "some",
            BrokerVersion = "1.0",
            Protocols = ["3.1.1"],
            Seed = 1,
            Scenarios = 10,
            Commands = 100,
            ExploringSeconds = 1,
            Interrupted = false,
            NotRepeated = [],
            Findings =
            [
                new()
                {
                    Statement = "MQTT-3.8.4-6",
                    Name = "delivery-qos",
                    Class = "MUST",
                    Expected = "The least of both.",
                    Observed = "QoS 1 instead of 0",
                    Circumstances = "QoS <2>",
                    AlsoAs = [],
                    Protocol = "3.1.1",
                    Scenario = ["A connect clean", "A publish"],
                    Replays = 5,
                    Hits = 5,
                    Transcript = ["0.0 ms A --> PUBLISH   <=="],
                    Repeat = "mqttcheck check --steps 'A connect clean'",
                },
            ],
            Coverage =
            [
                new("delivery-qos", "3.8.4-6", "3.8.4-8", "MUST", 7, 1, ""),
                new("connack", "3.1.4-4", "3.1.4-5", "MUST", 10, 0, ""),
                new("resend", "4.4.0-1", "4.4.0-1", "MUST", 0, 0, "no occasion in this run"),
            ],
        };
}
