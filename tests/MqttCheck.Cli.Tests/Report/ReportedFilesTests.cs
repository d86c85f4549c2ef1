using MqttCheck.App.Runs;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Tests.Verify;
using MqttCheck.Predictions;
using MqttCheck.Reports.Input;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests.Report;

/// <summary>A report is made of files that belong together, or of none.</summary>
[TestFixture]
internal sealed class ReportedFilesTests : DirectoryFixture
{
    private string Prediction(string name, ulong seed)
    {
        PredictionFile.Write(
            In(name),
            SamplePrediction.Predicted with
            {
                Options = SamplePrediction.Predicted.Options with { Seed = seed },
            }
        );
        return In(name);
    }

    private string Verdicts(string prediction)
    {
        VerdictFile.Write(
            In("verdicts.json"),
            new()
            {
                ToolVersion = "1",
                Broker = new BrokerReport { Name = "embedded" },
                Prediction = prediction,
                PredictionSha256 = FileHash.OfFile(prediction),
                ModelSha256 = SamplePrediction.Predicted.Model.Sha256,
                Log = "",
                Seed = 1,
                Repeat = "mqttcheck verify",
                Verdicts = [],
            }
        );
        return In("verdicts.json");
    }

    [Test]
    public async Task The_prediction_of_the_verdicts_is_taken()
    {
        var verdicts = Verdicts(Prediction("first.json", 1));
        var screen = await TestTool.SucceedAsync("report", "--verdicts", verdicts, "--out", In("page.html"));
        Assert.That(In("page.html"), Does.Exist);
    }

    [Test]
    public async Task Another_prediction_is_refused_by_name()
    {
        var verdicts = Verdicts(Prediction("first.json", 1));
        var (code, screen) = await TestTool.RunAsync(
            "report",
            "--verdicts",
            verdicts,
            "--prediction",
            Prediction("second.json", 2),
            "--out",
            In("page.html")
        );
        Assert.That(code, Is.EqualTo(ExitCode.WrongInput));
        Assert.That(
            screen.Error,
            Does.Contain("--prediction")
                .And.Contain("second.json")
                .And.Contain("first.json")
                .And.Contain("verdicts.json")
        );
        Assert.That(In("page.html"), Does.Not.Exist);
    }

    [Test]
    public async Task A_prediction_that_was_replaced_is_refused()
    {
        var verdicts = Verdicts(Prediction("first.json", 1));
        Prediction("first.json", 2);
        await TestTool.AssertRefusedAsync(
            ["report", "--verdicts", verdicts, "--out", In("page.html")],
            "another prediction",
            "mqttcheck verify"
        );
    }

    [Test]
    public async Task Another_model_is_refused()
    {
        var (learned, _) = await TestTool.RunAsync(
            "learn",
            TestTool.Sample("logs/embedded.csv.gz"),
            "--learner",
            "least-squares",
            "--out",
            In("model.json")
        );
        Assert.That(learned, Is.EqualTo(ExitCode.Success));
        var (code, screen) = await TestTool.RunAsync(
            "report",
            "--prediction",
            Prediction("first.json", 1),
            "--model",
            In("model.json"),
            "--out",
            In("page.html")
        );
        Assert.That(code, Is.EqualTo(ExitCode.WrongInput));
        Assert.That(screen.Error, Does.Contain("--model").And.Contain("model.json").And.Contain("first.json"));
    }

    [Test]
    public void Verdicts_of_version_1_are_read_and_know_no_hash() =>
        Assert.That(VerdictFile.Read(TestTool.Sample("results/embedded.verdicts.json")).PredictionSha256, Is.Null);
}
