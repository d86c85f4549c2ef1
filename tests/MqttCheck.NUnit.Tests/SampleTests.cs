using System.Diagnostics;
using System.Xml.Linq;

namespace MqttCheck.NUnit.Tests;

/// <summary>The sample project, run as its users run it. Those on a fast broker and on a slow one share the machine: what is measured is far from what is required in both.</summary>
[TestFixture, NonParallelizable]
public sealed class SampleTests
{
    private static readonly XNamespace s_trx = "http://microsoft.com/schemas/VisualStudio/TeamTest/2010";

    [Test, Parallelizable]
    public async Task It_passes_on_a_fast_broker()
    {
        var (exitCode, results, output) = await RunAsync();
        Assert.That(exitCode, Is.Zero, output);
        Assert.That(results, Has.Count.EqualTo(3).And.All.Matches<XElement>(result => (string?)result.Attribute("outcome") == "Passed"), output);
        Assert.That(results, Has.All.Matches<XElement>(result => Attachment(result) is not null), "every result has its report");
    }

    [Test, Parallelizable]
    public async Task It_fails_with_a_readable_message_on_a_slow_one()
    {
        var (exitCode, results, output) = await RunAsync(delay: "constant:150ms");
        Assert.That(exitCode, Is.EqualTo(1), output);
        Assert.That(results, Has.Count.EqualTo(3).And.Exactly(2).Matches<XElement>(IsFailed), output);
        var message = results.Where(IsFailed).Select(result => (string)result.Descendants(s_trx + "Message").Single()).First(text => text.Contains("sequence", StringComparison.Ordinal));
        TestContext.Out.WriteLine(message);
        Assert.That(message, Does.Contain("Expected: every publication of a sequence is acknowledged in less than 100 ms with a probability of at least 0.9"));
        Assert.That(message, Does.Contain("But was:  a probability of 0.000"));
        Assert.That(message, Does.Contain("delay constant:150ms"));
        Assert.That(message, Does.Contain("dotnet test --filter FullyQualifiedName~.Publish_is_acknowledged_in_time --environment MQTTCHECK_SEED=1 --environment \"MQTTCHECK_DELAY=constant:150ms\""));
    }

    [Test]
    public async Task It_fails_with_a_shrunk_transcript_on_a_faulty_one()
    {
        var (exitCode, results, output) = await RunAsync(faults: "wrong-qos:1", filter: "FullyQualifiedName~Conformance");
        Assert.That(exitCode, Is.EqualTo(1), output);
        var message = (string)results.Single(IsFailed).Descendants(s_trx + "Message").Single();
        TestContext.Out.WriteLine(message);
        Assert.That(message, Does.Contain("Expected: the broker violates no statement of the MQTT standard that says MUST"));
        Assert.That(message, Does.Contain("MQTT-3.8.4-").And.Contain("<==").And.Match("found with \\d+ commands, shrunk to [1-6]\\b"));
        Assert.That(message, Does.Contain("--environment \"MQTTCHECK_FAULTS=wrong-qos:1\""));
        Assert.That(Attachment(results.Single()), Is.Not.Null);
    }

    private static bool IsFailed(XElement result) => (string?)result.Attribute("outcome") == "Failed";

    private static string? Attachment(XElement result) => (string?)result.Descendants(s_trx + "ResultFile").FirstOrDefault()?.Attribute("path");

    private static async Task<(int ExitCode, List<XElement> Results, string Output)> RunAsync(string? delay = null, string? faults = null, string filter = "TestCategory!=mosquitto")
    {
        var directory = Directory.CreateTempSubdirectory("mqttcheck-sample-");
        try
        {
            var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true, RedirectStandardError = true };
            foreach (var argument in (string[])["test", Assembly(), "--filter", filter, "--logger", "trx;LogFileName=sample.trx", "--results-directory", directory.FullName])
                start.ArgumentList.Add(argument);
            start.Environment["MQTTCHECK_DELAY"] = delay;
            start.Environment["MQTTCHECK_FAULTS"] = faults;
            using var process = Process.Start(start)!;
            var texts = await Task.WhenAll(process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
            await process.WaitForExitAsync();
            var output = string.Concat(texts);
            Assume.That(output, Does.Not.Contain("the load generator was overloaded or late"), "a machine that is busy otherwise measures nothing");
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
    private static string Assembly()
    {
        var here = new DirectoryInfo(AppContext.BaseDirectory);
        var root = here;
        while (!File.Exists(Path.Combine(root!.FullName, "MqttCheck.sln"))) root = root.Parent;
        return Path.Combine(root.FullName, "samples", "BrokerRequirements", "bin", here.Parent!.Name, here.Name, "BrokerRequirements.dll");
    }
}
