using System.Text.Json;

namespace MqttCheck.AcceptanceTests;

/// <summary>
/// The stages as commands of their own, each on the files of the one before, on a broker that is running already.
/// </summary>
[Parallelizable(ParallelScope.All)]
public sealed class StagesTests
{
    [Test, NonParallelizable]
    [Category("AloneOnTheMachine")]
    public async Task Each_stage_reads_the_files_of_the_one_before()
    {
        using var directory = new WorkDirectory();
        var (broker, address) = await ToolProcess.ServeAsync(directory.Path);
        using var _ = broker;

        await ToolProcess.SucceedAsync(directory.Path, "explore", "--broker", address, "--for", "10s");
        var log = directory.Only("logs", "*.csv");

        await ToolProcess.SucceedAsync(directory.Path, "learn", log);
        var model = directory.Only("models", "*.json");

        var predicted = await ToolProcess.SucceedAsync(
            directory.Path,
            "predict",
            "--model",
            model,
            "--profile",
            "up2",
            "--clients",
            "120"
        );
        Assert.That(predicted.Output, Does.Contain("up2      120"));
        var prediction = directory.Only("predictions", "*.json");

        // A short exploration gives a vague prediction. Only with a large indifference is it found not worse,
        // which leaves nothing above it to reject.
        var verified = await ToolProcess.SucceedAsync(
            directory.Path,
            "verify",
            prediction,
            "--broker",
            address,
            "--error",
            "0.001",
            "--indifference",
            "0.49",
            "--runs",
            "5",
            "--budget",
            "60s"
        );
        Assert.That(verified.Output, Does.Contain("not worse: up2, 120 clients"));
        var verdicts = directory.Only("verdicts", "*.json");

        foreach (var ending in (string[])[".html", ".md", ".json", ".xml"])
        {
            await ToolProcess.SucceedAsync(
                directory.Path,
                "report",
                "--log",
                log,
                "--model",
                model,
                "--verdicts",
                verdicts,
                "--out",
                "page" + ending
            );
            Assert.That(File.ReadAllText(directory.File("page" + ending)), Does.Contain("up2"));
        }

        var stopped = await broker.EndAsync("INT");
        Assert.That(stopped.ExitCode, Is.Zero, "a broker is meant to be stopped: " + stopped);
    }

    [Test]
    [Category("AloneOnTheMachine")]
    public async Task Verify_offers_to_refresh_a_model_that_is_out_of_date_and_does_so_when_told()
    {
        using var directory = new WorkDirectory();
        // The example was learned from a broker whose delay had a median of 5 ms.
        await ToolProcess.SucceedAsync(
            directory.Path,
            "predict",
            "--model",
            RepositoryFiles.Model,
            "--profile",
            "up2",
            "--clients",
            "20",
            "--threshold",
            "20ms,40ms",
            "--replications",
            "200",
            "--out",
            "old.json"
        );
        string[] verify =
        [
            "verify",
            "old.json",
            "--delay",
            "lognormal:9ms,0.5",
            "--error",
            "0.001",
            "--indifference",
            "0.49",
            "--runs",
            "3",
            "--budget",
            "15s",
        ];

        var refreshed = await ToolProcess.RunAsync(directory.Path, [.. verify, "--refresh", "5s"]);
        Assert.That(refreshed.ExitCode, Is.Zero.Or.EqualTo(4), refreshed.ToString);
        Assert.That(
            refreshed.ToString(),
            Does.Contain("the model may be out of date. Refresh it: 'mqttcheck verify --refresh 60s'")
                .And.Contain("learned and predicted again")
        );
        var prediction = directory.Only("predictions", "*.json");
        Assert.That(
            File.ReadAllText(prediction),
            Does.Contain(Path.GetFileName(directory.Only("models", "*.json"))).And.Contain("up2")
        );
        Assert.That(
            File.ReadAllText(directory.Only("verdicts", "*.json")),
            Does.Contain(Path.GetFileName(prediction)),
            "the verdicts are about the new prediction"
        );
    }

    [Test]
    [Category("AloneOnTheMachine")]
    public async Task Calibration_writes_every_run_and_the_figures_that_follow_from_them()
    {
        using var directory = new WorkDirectory();
        // Waits beside which it matters little that a busy machine sends some messages late.
        File.WriteAllText(
            directory.File("quick.json"),
            """
            { "name": "quick", "waitMilliseconds": { "uniform": [0, 200] }, "weights": { "connect": 1, "disconnect": 1, "publish": 5, "subscribe": 3, "unsubscribe": 2 },
              "topics": 100, "payloadBytes": [12, 80], "qos": 1, "sequenceLength": 5 }
            """
        );
        var calibrated = await ToolProcess.RunAsync(
            directory.Path,
            "calibrate",
            "--delay",
            "lognormal:10ms,0.5",
            "--profile",
            directory.File("quick.json"),
            "--clients",
            "15",
            "--threshold",
            "20ms,30ms,40ms",
            "--train",
            "6s",
            "--runs",
            "3",
            "--learner",
            "binned-quantiles",
            "--seed",
            "1"
        );
        Assert.That(
            calibrated.ExitCode,
            Is.Zero.Or.EqualTo(4),
            "half of the runs may be invalid on a busy machine: " + calibrated
        );
        Assert.That(calibrated.Output, Does.Contain("one run").And.Contain("constant width"));

        using var file = JsonDocument.Parse(File.ReadAllText(directory.Only("calibrations", "*.json")));
        var learner = file.RootElement.GetProperty("learners").EnumerateArray().Single();
        var points = learner.GetProperty("points").EnumerateArray().ToArray();
        Assert.That(file.RootElement.GetProperty("version").GetInt32(), Is.EqualTo(3));
        Assert.That(points, Is.Not.Empty);
        var (held, means, errors) = (new List<double>(), new List<double>(), new List<double>());
        foreach (var point in points)
        {
            var runs = Numbers(point, "runs");
            var prediction = Numbers(point, "predictedInterval");
            var one = Numbers(point, "runInterval");
            var mean = Numbers(point, "meanInterval");
            var measured = point.GetProperty("measured").GetDouble();
            Assert.That(runs, Has.Length.InRange(2, 3), "invalid runs are left out");
            Assert.That(measured, Is.EqualTo(runs.Average()).Within(1e-12));
            Assert.That(one[0], Is.LessThanOrEqualTo(prediction[0]), "a run scatters more than what it measures");
            Assert.That(one[1], Is.GreaterThanOrEqualTo(prediction[1]));
            held.Add(runs.Average(run => run >= one[0] && run <= one[1] ? 1.0 : 0));
            Assert.That(one[1] - one[0], Is.GreaterThanOrEqualTo(mean[1] - mean[0]), "and than the mean of several");
            means.Add(measured >= mean[0] && measured <= mean[1] ? 1 : 0);
            errors.Add(Math.Abs(point.GetProperty("predicted").GetDouble() - measured));
        }
        Assert.That(
            (learner.GetProperty("coverage").GetDouble(), learner.GetProperty("meanCoverage").GetDouble()),
            Is.EqualTo((held.Average(), means.Average())).Within(1e-12)
        );
        Assert.That(learner.GetProperty("meanError").GetDouble(), Is.EqualTo(errors.Average()).Within(1e-12));

        // From the log alone comes the same table, and from the table the same summary.
        var again = await ToolProcess.SucceedAsync(
            directory.Path,
            "calibrate",
            "--from",
            directory.Only("logs", "*.csv"),
            "--threshold",
            "20ms,30ms,40ms",
            "--learner",
            "binned-quantiles",
            "--seed",
            "1",
            "--out",
            directory.File("again")
        );
        var tables = Directory.GetFiles(directory.File("again/calibrations"), "*.json");
        Assert.That(tables, Has.Length.EqualTo(1));
        using var computed = JsonDocument.Parse(File.ReadAllText(tables[0]));
        Assert.That(
            computed.RootElement.GetProperty("learners").GetRawText(),
            Is.EqualTo(file.RootElement.GetProperty("learners").GetRawText())
        );
        var summary = await ToolProcess.RunAsync(directory.Path, "calibrate", "--from", tables[0]);
        Assert.That(Summary(summary.Output), Is.EqualTo(Summary(again.Output)).And.Contains("embedded"));

        // A line for each choice of points that has any.
        static string Summary(string output) =>
            string.Join('\n', output.Split('\n').Where(line => line.StartsWith("embedded ", StringComparison.Ordinal)));
        static double[] Numbers(JsonElement point, string key) =>
            [.. point.GetProperty(key).EnumerateArray().Select(number => number.GetDouble())];
    }

    [Test]
    public async Task A_prediction_is_the_same_to_the_byte_for_any_number_of_threads()
    {
        using var directory = new WorkDirectory();
        var files = new List<byte[]>();
        foreach (var threads in (string[])["1", "2", "5"])
        {
            await ToolProcess.SucceedAsync(
                directory.Path,
                "predict",
                "--model",
                RepositoryFiles.Model,
                "--profile",
                "up1",
                "--clients",
                "130",
                "--replications",
                "60",
                "--threads",
                threads,
                "--out",
                threads + ".json"
            );
            files.Add(File.ReadAllBytes(directory.File(threads + ".json")));
        }
        Assert.That(files, Is.All.EqualTo(files[0]));
    }
}
