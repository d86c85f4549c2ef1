namespace MqttCheck.Testing.Tests;

/// <summary>Any framework can use the library, and none at all.</summary>
[TestFixture, NonParallelizable]
internal sealed class FrameworkTests
{
    private static readonly string[] s_frameworks = ["nunit", "xunit", "mstest", "microsoft.visualstudio.testplatform"];

    [Test]
    public void The_library_refers_to_no_test_framework()
    {
        var referred = typeof(TestHost).Assembly.GetReferencedAssemblies().Select(assembly => assembly.Name!);
        Assert.That(referred.Where(IsFramework), Is.Empty);
        Assert.That(referred, Does.Contain("MqttCheck.Brokers"), "the list is not empty by mistake");
    }

    [Test]
    public void Its_packages_bring_none_either()
    {
        var packages = File.ReadAllText(RepositoryFiles.At("src/MqttCheck.Testing/packages.lock.json"));
        Assert.That(IsFramework(packages), Is.False);
        Assert.That(packages, Does.Contain("FsCheck"));
    }

    // What a program does that knows neither NUnit nor another framework.
    [Test]
    public async Task A_requirement_that_is_met_returns_and_one_that_is_violated_throws_its_whole_message()
    {
        await using var broker = await TestBroker.StartAsync("embedded:nodelay");
        var measurement = await Measure.Sequences(
            async (client, _) =>
            {
                await client.Step("ask", () => Task.CompletedTask);
                if (client.Number < 5)
                    throw new InvalidDataException("no answer");
            },
            clients: 10,
            new() { Broker = broker, Seed = 7 }
        );
        var met = Decide(Requirement.Success(probability: .3), measurement);
        met.ThrowIfNotMet();
        Assert.That(met.IsMet, Is.True, met.Message);

        var exception = Assert.Throws<RequirementException>(() =>
            Decide(Requirement.Success(probability: .9), measurement).ThrowIfNotMet()
        )!;
        Assert.That(
            exception.Message,
            Does.StartWith(
                "Expected: a sequence succeeds with a probability of at least 0.9\nBut was:  a probability of"
            )
        );
        Assert.That(
            exception.Message.Split('\n').Select(line => line.Split(' ')[0]).Where(word => word.Length > 0),
            Is.EqualTo(new[] { "Expected:", "But", "Seen:", "Latency:", "Sure:", "Failed:", "Broker:", "Repeat:" })
        );
        Assert.That(exception.Message, Does.Contain("InvalidDataException: no answer"));
        Assert.That(exception.Message, Does.Contain("dotnet test --environment MQTTCHECK_SEED=7"));
    }

    [Test]
    public void A_test_without_a_framework_writes_no_report_and_shows_progress_on_standard_error()
    {
        var host = new TestHost();
        Assert.That(
            (host.Directory, host.Filter, host.Token.CanBeCanceled),
            Is.EqualTo(((string?)null, (string?)null, false))
        );
        Assert.That(host.WriteProgress, Is.EqualTo((Action<string>)Console.Error.WriteLine));
    }

    // A busy machine must not spoil the runs.
    private static Decision Decide(
        MqttCheck.Testing.Requirements.LatencyRequirement requirement,
        Measurement measurement
    )
    {
        measurement.IsValid = _ => true;
        return requirement.Decide(measurement);
    }

    private static bool IsFramework(string text) =>
        s_frameworks.Any(framework => text.Contains(framework, StringComparison.OrdinalIgnoreCase));
}
