using System.Text.Json;
using System.Text.RegularExpressions;
using MqttCheck.App.Runs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;

namespace MqttCheck.Cli.Tests.Predict;

[TestFixture]
[NonParallelizable]
internal sealed class PredictCommandTests
{
    private string _directory = "";
    private string _before = "";

    // Default names are relative to the current directory.
    [OneTimeSetUp]
    public async Task Learn()
    {
        _before = Directory.GetCurrentDirectory();
        _directory = Directory.CreateTempSubdirectory("mqttcheck-predict-").FullName;
        Directory.SetCurrentDirectory(_directory);
        var screen = await TestTool.SucceedAsync(
            "learn",
            TestTool.Sample("logs/embedded.csv.gz"),
            "--learner",
            "binned-quantiles",
            "--out",
            "m.json"
        );
    }

    [OneTimeTearDown]
    public void Return()
    {
        Directory.SetCurrentDirectory(_before);
        Directory.Delete(_directory, recursive: true);
    }

    private static async Task<string> PredictAsync(params string[] arguments)
    {
        var screen = await TestTool.SucceedAsync([
            "predict",
            "--model",
            "m.json",
            "--replications",
            "20",
            .. arguments,
        ]);
        return screen.Output;
    }

    [Test]
    public async Task The_manual_shows_what_the_command_prints()
    {
        const string Command = "predict --model models/embedded-example.json --profile up1 --clients 130";
        var page = await System.IO.File.ReadAllLinesAsync(RepositoryFiles.At("docs/manual/predict.md"));
        var shown = page.SkipWhile(line => line != $"    mqttcheck {Command}")
            .Skip(1)
            .SkipWhile(line => !line.StartsWith("    ", StringComparison.Ordinal))
            .TakeWhile(line => line.Length > 0)
            .Select(line => line[4..]);
        var words = Command.Replace("models/embedded-example.json", RepositoryFiles.Model, StringComparison.Ordinal);
        var screen = await TestTool.SucceedAsync([.. words.Split(' '), "--out", "example.json"]);
        Assert.That(screen.Output.Split('\n').TakeWhile(line => line.Length > 0), Is.EqualTo(shown));
    }

    [Test]
    public async Task Two_predictions_of_one_model_are_two_files()
    {
        var first = File(await PredictAsync("--profile", "up1", "--clients", "5"));
        var second = File(await PredictAsync("--profile", "up2", "--clients", "5"));
        var third = File(await PredictAsync("--profile", "up2", "--clients", "5"));
        Assert.That(first, Does.Match(@"predictions.m-up1-\d{8}-\d{6}(-\d+)?\.json$"));
        Assert.That(second, Does.Match(@"predictions.m-up2-\d{8}-\d{6}(-\d+)?\.json$"));
        Assert.That(new[] { first, second, third }, Is.Unique.And.All.Exist);
    }

    [Test]
    public async Task A_given_name_that_exists_is_replaced_and_that_is_said()
    {
        await PredictAsync("--profile", "up1", "--clients", "5", "--out", "given.json");
        var (_, screen) = await TestTool.RunAsync(
            "predict",
            "--model",
            "m.json",
            "--replications",
            "20",
            "--profile",
            "up1",
            "--clients",
            "6",
            "--out",
            "given.json"
        );
        Assert.That(screen.Error, Does.Contain("given.json existed and is replaced"));
        Assert.That(PredictionFile.Read("given.json").Setups.Single().Clients, Is.EqualTo(6));
    }

    [Test]
    public async Task The_command_that_mends_a_row_outside_of_training_takes_the_file_of_the_profile()
    {
        await using (var file = System.IO.File.Create("mine.json"))
        await using (var writer = new Utf8JsonWriter(file))
            ProfileFile.Write(writer, ProfileFile.Read("up1"));
        var output = await PredictAsync("--profile", "mine.json", "--clients", "300", "--threshold", "20ms");
        Assert.That(output, Does.Contain("mqttcheck explore --profile mine.json --up-to-clients 300"));
    }

    // The sample was explored with up to 97 clients.
    [Test]
    public async Task Rows_outside_of_training_are_marked_and_the_note_names_the_command()
    {
        var output = await PredictAsync("--profile", "up1", "--clients", "50,300", "--threshold", "20ms");
        Assert.That(
            output,
            Does.Match(@"up1 +50 .*\]\r?\n")
                .And.Match(@"up1 +300 .*\] +outside of training\r?\n")
                .And.Contain("mqttcheck explore --profile up1 --up-to-clients 300")
        );
        Assert.That(
            PredictionFile.Read(File(output)).Setups.Select(setup => setup.IsOutsideTraining),
            Is.EqualTo([false, true])
        );
    }

    [Test]
    public async Task Groups_can_be_counted()
    {
        var output = await PredictAsync("--profile", "population", "--clients", "sensors=30+dashboards=10+gateways=0");
        var prediction = PredictionFile.Read(File(output));
        Assert.That(prediction.Setups.Single().Clients, Is.EqualTo(40));
        Assert.That(prediction.Populations.Single().Groups.Select(group => group.Share), Is.EqualTo([3.0, 1.0]));
    }

    private static string File(string output) => Regex.Match(output, @"prediction: (\S+)").Groups[1].Value;
}
