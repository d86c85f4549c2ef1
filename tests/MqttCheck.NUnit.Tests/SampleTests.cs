using System.Diagnostics;
using System.Xml.Linq;

namespace MqttCheck.NUnit.Tests;

/// <summary>
/// The sample projects, run as their users run them, on brokers that fail them; that they pass otherwise is a part of
/// the suite. Two of them share the machine: what is measured is far from what is required in both.
/// </summary>
[TestFixture, Parallelizable(ParallelScope.All)]
public sealed class SampleTests
{
    private static readonly XNamespace s_trx = "http://microsoft.com/schemas/VisualStudio/TeamTest/2010";

    [Test]
    [Category("Whole"), Category("AloneOnTheMachine")]
    public async Task It_fails_with_a_readable_message_on_a_slow_one()
    {
        var (exitCode, results, output) = await RunAsync(
            delay: "constant:150ms",
            filter: "FullyQualifiedName~Publish_is_acknowledged&TestCategory!=mosquitto"
        );
        Assert.That(exitCode, Is.EqualTo(1), output);
        Assert.That(results, Has.Count.EqualTo(1).And.All.Matches<XElement>(IsFailed), output);
        var message = (string)results[0].Descendants(s_trx + "Message").Single();
        TestContext.Out.WriteLine(message);
        Assert.That(
            message,
            Does.Contain(
                    "Expected: every publication of a sequence is acknowledged in less than 100 ms "
                        + "with a probability of at least 0.9"
                )
                .And.Contain("But was:  a probability of 0.000")
                .And.Contain("delay constant:150ms")
                .And.Contain(
                    "dotnet test --filter FullyQualifiedName~.Publish_is_acknowledged_in_time "
                        + "--environment MQTTCHECK_SEED=1 --environment \"MQTTCHECK_DELAY=constant:150ms\""
                )
        );
    }

    [Test]
    [Category("Whole")]
    public async Task It_fails_with_a_shrunk_transcript_on_a_faulty_one()
    {
        var (exitCode, results, output) = await RunAsync(
            faults: "wrong-qos:1",
            filter: "FullyQualifiedName~Conformance"
        );
        Assert.That(exitCode, Is.EqualTo(1), output);
        var message = (string)results.Single(IsFailed).Descendants(s_trx + "Message").Single();
        TestContext.Out.WriteLine(message);
        Assert.That(
            message,
            Does.Contain("Expected: the broker violates no statement of the MQTT standard that says MUST")
                .And.Contain("MQTT-3.8.4-")
                .And.Contain("<==")
                .And.Match("found with \\d+ commands, shrunk to [1-6]\\b")
                .And.Contain("--environment \"MQTTCHECK_FAULTS=wrong-qos:1\"")
        );
        Assert.That(Attachment(results.Single()), Is.Not.Null);
    }

    [Test]
    [Category("Whole")]
    public async Task An_application_fails_with_readable_messages_where_too_much_is_lost()
    {
        var (exitCode, results, output) = await RunAsync(faults: "lose:0.9", sample: "GatewayRequirements");
        Assert.That(exitCode, Is.EqualTo(1), output);
        Assert.That(results, Has.Count.EqualTo(2).And.All.Matches<XElement>(IsFailed), output);
        var messages = string.Concat(results.Select(result => (string)result.Descendants(s_trx + "Message").Single()));
        TestContext.Out.WriteLine(messages);
        Assert.That(
            messages,
            Does.Contain(
                    "Expected: every step 'reading' of a sequence ends in less than 1000 ms "
                        + "with a probability of at least 0.9"
                )
                .And.Match(
                    @"Failed:   \d+ of \d+ sequences: \d+ threw, \d+ took longer than 10 s\. The first: TimeoutException: 3 attempts without an answer"
                )
                .And.Contain("Expected: a property that holds with a probability of at least 0.9")
                .And.Match(
                    @"Case:     number \d+, the smallest of \d+ failing cases: TimeoutException: 1 attempts without an answer"
                )
                .And.Contain("--environment \"MQTTCHECK_FAULTS=lose:0.9\"")
        );
    }

    private static bool IsFailed(XElement result) => (string?)result.Attribute("outcome") == "Failed";

    private static string? Attachment(XElement result) =>
        (string?)result.Descendants(s_trx + "ResultFile").FirstOrDefault()?.Attribute("path");

    private static async Task<(int ExitCode, List<XElement> Results, string Output)> RunAsync(
        string? delay = null,
        string? faults = null,
        string filter = "TestCategory!=mosquitto",
        string sample = "BrokerRequirements"
    )
    {
        var directory = Directory.CreateTempSubdirectory("mqttcheck-sample-");
        try
        {
            var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true, RedirectStandardError = true };
            foreach (
                var argument in (string[])
                    [
                        "test",
                        Assembly(sample),
                        "--filter",
                        filter,
                        "--logger",
                        "trx;LogFileName=sample.trx",
                        "--results-directory",
                        directory.FullName,
                    ]
            )
                start.ArgumentList.Add(argument);
            start.Environment["MQTTCHECK_DELAY"] = delay;
            start.Environment["MQTTCHECK_FAULTS"] = faults;
            using var process = Process.Start(start)!;
            var texts = await Task.WhenAll(
                process.StandardOutput.ReadToEndAsync(),
                process.StandardError.ReadToEndAsync()
            );
            await process.WaitForExitAsync();
            var output = string.Concat(texts);
            Assume.That(
                output,
                Does.Not.Contain("the load generator was overloaded or late"),
                "a machine that is busy otherwise measures nothing"
            );
            var file = Path.Combine(directory.FullName, "sample.trx");
            Assert.That(file, Does.Exist, output);
            return (process.ExitCode, [.. XDocument.Load(file).Descendants(s_trx + "UnitTestResult")], output);
        }
        finally
        {
            directory.Delete(recursive: true);
        }
    }

    // Built beside this test, in the same configuration.
    private static string Assembly(string sample)
    {
        var here = new DirectoryInfo(AppContext.BaseDirectory);
        return RepositoryFiles.At($"samples/{sample}/bin/{here.Parent!.Name}/{here.Name}/{sample}.dll");
    }
}
