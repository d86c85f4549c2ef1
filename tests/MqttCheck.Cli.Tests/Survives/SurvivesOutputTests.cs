using System.Text.Json;
using MqttCheck.App.Clusters.Survival;
using MqttCheck.App.Progress;
using MqttCheck.Cli.Survives;
using MqttCheck.Cli.Tests.Terminal;
using MqttCheck.Clusters.Properties;
using MqttCheck.Reports.Documents;
using MqttCheck.Reports.Documents.Lanes;

namespace MqttCheck.Cli.Tests.Survives;

/// <summary>The table as text, as a file and as a page.</summary>
[TestFixture]
internal sealed class SurvivesOutputTests
{
    private static readonly string[] s_arguments =
    [
        "survives",
        "one.json",
        "--budget",
        "20m",
        "--seed=7",
        "--only",
        "kill",
    ];

    [Test]
    public async Task The_text_has_the_answer_the_example_and_the_command_that_repeats_the_cell()
    {
        var (_, answer) = await AnswerAsync();
        var screen = new TestScreen();
        SurvivesText.Print(screen.Screen, answer, cell => SurvivesRepeat.Of(s_arguments, 7, cell));
        Assert.That(screen.Output, Does.Contain("No: acknowledged QoS 1 messages are lost where the broker is killed"));
        Assert.That(screen.Output, Does.Contain("message #3 of publisher 1 never came"));
        Assert.That(screen.Output, Does.Contain("repeat: mqttcheck survives one.json --only kill --runs 1 --seed 7"));
        Assert.That(screen.Output, Does.Match(@"time: planned about [\d.]+ (s|min), taken [\d.]+ (s|min)"));
    }

    [Test]
    public async Task The_file_has_numbers_for_every_cell()
    {
        var (request, answer) = await AnswerAsync();
        var file = JsonElement.Parse(SurvivesFile.Text(request, answer, _ => "again"));
        Assert.That(file.GetProperty("conclusion").GetString(), Is.EqualTo("Refuted"));
        var row = file.GetProperty("rows").EnumerateArray().First(one => one.GetProperty("name").GetString() == "kill");
        var cells = row.GetProperty("cells")
            .EnumerateArray()
            .ToDictionary(cell => cell.GetProperty("column").GetString()!);
        Assert.That(cells["qos1"].GetProperty("verdict").GetString(), Is.EqualTo("lost"));
        Assert.That(cells["qos1"].GetProperty("lost").GetInt64(), Is.EqualTo(20));
        Assert.That(cells["qos1"].GetProperty("of").GetInt64(), Is.EqualTo(100));
        Assert.That(cells["qos1"].GetProperty("repeat").GetString(), Is.EqualTo("again"));
        Assert.That(
            cells["retained"].GetProperty("atMost").GetDouble(),
            Is.EqualTo(1 - Math.Pow(answer.Plan.CellError, 1.0 / 3)).Within(1e-9)
        );
    }

    [Test]
    public async Task The_page_begins_with_the_answer_then_has_the_table_the_losses_and_how_it_was_measured()
    {
        var (request, answer) = await AnswerAsync();
        var page = SurvivesPage.Document(request, answer, _ => "again", DateTimeOffset.UnixEpoch);
        Assert.That(page.Headline, Is.EqualTo("No: acknowledged QoS 1 messages are lost where the broker is killed."));
        Assert.That(page.Lead, Does.EndWith("Nothing was lost where the broker stands still."));
        Assert.That(page.Tone, Is.EqualTo(DocumentTone.Bad));
        Assert.That(
            page.Sections.Select(section => section.Title),
            Is.EqualTo([
                "What survives",
                "What was lost",
                "What became of each message",
                "How it was measured",
                "Repeat",
            ])
        );
        var table = (DocumentTable)page.Sections[0].Blocks[0];
        Assert.That(table.Rows[0][1], Does.StartWith("No: lost 20 of 100"));
        var lost = (DocumentCommand)page.Sections[1].Blocks[0];
        Assert.That(lost.Purpose, Does.EndWith("in run 1. Message #3 of publisher 1 never came."));
    }

    // The runs of the row lose 20, 21 and 22 messages.
    [Test]
    public async Task The_page_draws_the_run_that_lost_most()
    {
        var (request, answer) = await AnswerAsync();
        var page = SurvivesPage.Document(request, answer, _ => "again", DateTimeOffset.UnixEpoch);
        var picture = (LanePicture)page.Sections[2].Blocks[0];
        Assert.That(picture.Title, Is.EqualTo("The broker is killed. Run 3: 200 messages, 22 lost"));
        Assert.That(picture.Lanes.Single().Shades, Has.Count.EqualTo(1));
    }

    [TestCase("5%", .05)]
    [TestCase("0.2", .2)]
    [TestCase("12.5%", .125)]
    public void A_share_may_be_a_percentage(string text, double share)
    {
        Assert.That(SurvivesRepeat.TryShare(text, out var read), Is.True);
        Assert.That(read, Is.EqualTo(share).Within(1e-12));
    }

    private static async Task<(SurvivalRequest Request, SurvivalAnswer Answer)> AnswerAsync()
    {
        var time = new ManualTime();
        var request = new SurvivalRequest
        {
            Topology = ClusterInput.Parse(
                """{ "name": "one", "system": "mosquitto-bridge", "nodes": [ { "name": "a" } ], "links": [] }"""u8,
                "test"
            ),
            Only = ["kill", "freeze"],
            Budget = null,
            MostRuns = 3,
            Seed = 7,
        };
        var runs = new PlannedRuns(
            time,
            (fault, round) => fault == "kill" ? PlannedRuns.Losing(20 + round, 0, 0) : PlannedRuns.Whole
        );
        var place = new Workplace(new TestScreen().Screen, time, CancellationToken.None, CancellationToken.None);
        return (request, await SurvivalStage.RunAsync(place, runs, request));
    }
}
