using System.Text;
using System.Text.Json;
using System.Xml.Linq;
using MqttCheck.Predictions;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Tests.Formats;

public sealed class MachineFormatTests
{
    [Test]
    public void Json_holds_the_report_and_null_for_what_is_not_finite()
    {
        var input = SampleReports.Full(exchanges: 500, clients: [50, 100]);
        input = input with
        {
            Verdicts = [input.Verdicts[0] with { Inflation = double.NaN }, .. input.Verdicts.Skip(1)],
        };
        var root = Written.Json(input);
        var verdict = root.GetProperty("report").GetProperty("verdicts")[0];
        Assert.That(
            (root.GetProperty("schema").GetInt32(), root.GetProperty("overall").GetString()),
            Is.EqualTo((JsonReport.Schema, "worse"))
        );
        Assert.That(
            (verdict.GetProperty("inflation").ValueKind, verdict.GetProperty("kind").GetString()),
            Is.EqualTo((JsonValueKind.Null, "confirmed"))
        );
        Assert.That(
            verdict.GetProperty("point").GetProperty("interval").EnumerateObject().Select(property => property.Name),
            Is.EqualTo(["lower", "upper"])
        );
        Assert.That(root.GetProperty("report").GetProperty("seed").GetUInt64(), Is.EqualTo(20261121));
        Assert.That(
            root.GetProperty("report")
                .GetProperty("log")
                .GetProperty("kinds")[0]
                .GetProperty("outcomes")
                .GetProperty("success")
                .GetInt64(),
            Is.Positive
        );
    }

    [Test]
    public void Junit_counts_its_test_cases_and_keeps_to_the_characters_of_XML()
    {
        var input = SampleReports.Full(exchanges: 10, clients: [50, 100]);
        var suite = Written.JUnit(
            input with
            {
                Failure = "bad \u0001 \uD800 <broker>",
                Verdicts = [.. input.Verdicts],
            }
        );
        Assert.That((suite.Elements("testcase").Count(), (int)suite.Attribute("tests")!), Is.EqualTo((6, 6)));
        Assert.That(
            (suite.Descendants("failure").Count(), suite.Descendants("skipped").Count()),
            Is.EqualTo(((int)suite.Attribute("failures")!, (int)suite.Attribute("skipped")!))
        );
        Assert.That(
            (string)suite.Descendants("error").Single().Attribute("message")!,
            Is.EqualTo("bad \uFFFD \uFFFD <broker>")
        );
        Assert.That((string)suite.Descendants("failure").Single(), Does.Contain("mqttcheck run"));
    }

    // A verdict of its own in every format: a machine must not take it for a confirmation, and a build must not fail.
    [Test]
    public void Not_worse_is_a_value_of_its_own_in_every_format()
    {
        var input = SampleReports.Full(exchanges: 10, clients: [50, 100]);
        input = input with
        {
            Verdicts =
            [
                input.Verdicts[0] with
                {
                    Kind = VerdictKind.NotWorse,
                    Reason = "no upper side: one-sided test",
                    CountsAsPredicted = new(.6, 1),
                },
            ],
        };
        var (json, suite) = (Written.Json(input), Written.JUnit(input));
        Assert.That(json.GetProperty("overall").GetString(), Is.EqualTo("not-worse"));
        Assert.That(
            json.GetProperty("report").GetProperty("verdicts")[0].GetProperty("kind").GetString(),
            Is.EqualTo("not-worse")
        );
        var property = suite.Element("testcase")!.Element("properties")!.Elements("property").Single();
        Assert.That(
            ((string)property.Attribute("name")!, (string)property.Attribute("value")!),
            Is.EqualTo(("verdict", "not-worse"))
        );
        Assert.That(
            ((int)suite.Attribute("failures")!, (int)suite.Attribute("skipped")!, suite.Descendants("failure").Count()),
            Is.EqualTo((0, 0, 0))
        );
        Assert.That(Written.Annotations(input), Does.Not.Contain("::error").And.Not.Contain("::warning"));
        Assert.That(
            Written.Markdown(input),
            Does.Contain("**Not worse.** UP1, 50 clients, 20 ms: 92 of 100 sequences in time, not worse than predicted")
                .And.Contain("The verdict on the one point is not worse.")
        );
        Assert.That(Written.Page(input), Does.Contain("Not worse").And.Contain("≥").And.Not.Contain("✓"));
    }

    [TestCase(false, "failure", "error", "Contradicted by Monte Carlo")]
    [TestCase(null, "system-out", null, "Confirmed")]
    public void What_Monte_Carlo_contradicts_fails_everywhere(
        bool? confirms,
        string element,
        string? level,
        string headline
    )
    {
        var input = SampleReports.Full(exchanges: 10, clients: [50, 100]);
        input = input with
        {
            Verdicts = [input.Verdicts[0] with { MonteCarlo = new(2100, 5, .71, new(.68, .73), .99, confirms) }],
        };
        Assert.That(
            Written
                .JUnit(input)
                .Descendants("testcase")
                .Single()
                .Elements()
                .Single(child => child.Name.LocalName != "properties")
                .Name.LocalName,
            Is.EqualTo(element)
        );
        Assert.That(
            Written.Annotations(input),
            level is null
                ? Does.Not.Contain("::error")
                : Does.Contain($"::{level} title=").And.Contain("contradicted by Monte Carlo")
        );
        Assert.That(ReportSummary.Of(input).Headline, Is.EqualTo(headline));
    }

    [Test]
    public void Markdown_and_the_page_show_Monte_Carlo_estimates_beside_the_verdicts_and_only_where_there_are_some()
    {
        var input = SampleReports.Full(exchanges: 10, clients: [50, 100]);
        var estimated = input with
        {
            Verdicts =
            [
                input.Verdicts[0] with
                {
                    MonteCarlo = new(2100, 5, .91, new(.88, .93), .99, true),
                },
                .. input.Verdicts.Skip(1),
            ],
        };
        Assert.That(
            Written.Markdown(estimated),
            Does.Match(
                @"\| 0\.910 \| 0\.880 to 0\.930 \| 2,100 in 5 runs \| yes \|\n\nMonte Carlo confirms 1 of 1 verdict\."
            )
        );
        Assert.That(
            Written.Page(estimated),
            Does.Contain("Checked by Monte Carlo").And.Contain(">2,100 in 5 runs</td>").And.Contain(">yes</td>")
        );
        Assert.That(Written.Page(input), Does.Not.Contain("Checked by Monte Carlo"));
    }

    [Test]
    public void Annotations_stay_on_one_line_each()
    {
        var point = new PredictedPoint("a,b:c", 10, 20, 0.9, new(0.8, 1));
        var input = SampleReports.Empty with
        {
            Verdicts =
            [
                new()
                {
                    Point = point,
                    Kind = VerdictKind.Worse,
                    Reason = "50 % late\n::error::forged",
                },
            ],
        };
        Assert.That(
            Written.Annotations(input),
            Is.EqualTo(
                "::error title=a%2Cb%3Ac%2C 10 clients%2C 20 ms%3A worse::50 %25 late%0A::error::forged.\n"
                    + "::notice title=MqttCheck%3A Worse::The verdict on the one point is worse.\n"
            )
        );
    }

    [Test]
    public void Markdown_shows_the_result_and_no_markup_from_the_data()
    {
        var input = SampleReports.Full(exchanges: 10, clients: [50, 100]);
        input = input with { Warnings = ["a|b <script>*x*"], Broker = input.Broker! with { Name = "mosquitto_2|x" } };
        var text = Written.Markdown(input);
        Assert.That(
            text,
            Does.StartWith("# Will every message of a client arrive in time?\n\n**Worse.**")
                .And.Contain("\n| UP1 | 20 ms | 50 | ")
                .And.Contain("""A\|b &lt;script\>\*x\*.""")
                .And.Contain("""mosquitto\_2\|x""")
                .And.Contain("    mqttcheck run --broker embedded")
        );
    }

    [Test]
    public void Markdown_without_verdicts_lists_the_predictions()
    {
        var input = SampleReports.Empty with { Predictions = [SampleReports.Prediction("UP1", 50, 100)] };
        Assert.That(Written.Markdown(input), Does.Contain("**Not verified.**").And.Contain("| UP1 | 50 ms | 50 | "));
    }
}
