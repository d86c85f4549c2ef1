using System.Diagnostics;
using MqttCheck.Cli.Tests.Verify;
using MqttCheck.Predictions;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests;

/// <summary>
/// The program itself, started with fewer descriptors than its clients need. The broker is a command that leaves a file
/// behind, should it ever be started.
/// </summary>
[TestFixture, Platform("Linux")]
internal sealed class DescriptorLimitTests : DirectoryFixture
{
    private const int Descriptors = 160;

    [TestCase("explore")]
    [TestCase("run")]
    [TestCase("calibrate")]
    [TestCase("verify", "prediction.json")]
    [TestCase("bench", "--pairs", "100")]
    [TestCase("bench", "--profile", "up1", "--clients", "200")]
    [TestCase("bench", "--scenario", "tbmq")]
    [TestCase("compare")]
    [Category("Whole")]
    public async Task More_clients_than_descriptors_are_one_message_before_the_broker_is_started(
        string command,
        params string[] more
    )
    {
        PredictionFile.Write(In("prediction.json"), SamplePrediction.Predicted);
        var broker = $"exec:\"touch {Folder}/started-{{port}}\"";
        string[] named =
            command == "compare" ? ["--brokers", broker, "embedded"]
            : more.Contains("--scenario") ? ["--brokers", broker]
            : ["--broker", broker];

        var (code, output, error) = await RunAsync([command, .. more, .. named]);

        Assert.That(code, Is.EqualTo(ExitCode.WrongInput), error);
        // On a busy machine progress may stand before it.
        var message = error.TrimEnd().Split('\n').SkipWhile(line => line.EndsWith(" s", StringComparison.Ordinal));
        Assert.That(message.Count(), Is.EqualTo(1), error);
        Assert.That(
            message.Single(),
            Does.StartWith("error: Clients: ")
                .And.Contain($"this process may have {Descriptors} descriptors")
                .And.Contain("ulimit -n")
        );
        Assert.That(output, Is.Empty);
        Assert.That(
            Directory.GetFileSystemEntries(Folder).Select(Path.GetFileName),
            Is.EqualTo(new[] { "prediction.json" }),
            "nothing was started or written"
        );
    }

    private async Task<(int Code, string Output, string Error)> RunAsync(IReadOnlyList<string> arguments)
    {
        var program = Path.Combine(AppContext.BaseDirectory, "MqttCheck.Cli");
        var start = new ProcessStartInfo(
            "/bin/sh",
            ["-c", $"ulimit -n {Descriptors}; exec \"$0\" \"$@\"", program, .. arguments]
        )
        {
            WorkingDirectory = Folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var child = Process.Start(start)!;
        var output = child.StandardOutput.ReadToEndAsync();
        var error = child.StandardError.ReadToEndAsync();
        await child.WaitForExitAsync();
        return (child.ExitCode, await output, await error);
    }
}
