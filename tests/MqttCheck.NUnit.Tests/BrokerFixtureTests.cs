using MqttCheck.Testing;
using NUnit.Framework.Internal;

namespace MqttCheck.NUnit.Tests;

/// <summary>How a fixture gets its broker.</summary>
[TestFixture, NonParallelizable]
public sealed class BrokerFixtureTests
{
    private const string Variable = "MQTTCHECK_TEST_BROKER";

    [TearDown]
    public void ClearVariable() => Environment.SetEnvironmentVariable(Variable, null);

    [TestCase(null, typeof(IgnoreException))]
    [TestCase("true", typeof(AssertionException))]
    public void A_missing_broker_is_ignored_locally_and_fails_in_CI(string? ci, Type expected)
    {
        var before = Environment.GetEnvironmentVariable("CI");
        Environment.SetEnvironmentVariable("CI", ci);
        try
        {
            // An isolated context: the failure that is expected here must not count as one of this test.
            using (new TestExecutionContext.IsolatedContext())
                Assert.That(
                    () => BrokerFixture.StartAsync("env:" + Variable),
                    Throws.TypeOf(expected).With.Message.Contains($"Environment variable {Variable} is not set")
                );
        }
        finally
        {
            Environment.SetEnvironmentVariable("CI", before);
        }
    }

    [Test]
    public async Task The_variable_that_names_the_broker_is_part_of_the_command_that_repeats_the_test()
    {
        Environment.SetEnvironmentVariable(Variable, "embedded");
        await using var broker = await BrokerFixture.StartAsync($"env:{Variable}|mosquitto");
        var checkedBroker = await broker.Check(10.Seconds(), new() { Scenarios = 1 });
        Assert.That(
            Requirement.Conformance().Decide(checkedBroker, NUnitHost.Current()).Message,
            Does.Contain($"--environment MQTTCHECK_SEED=1 --environment \"{Variable}=embedded\"")
        );
    }
}
