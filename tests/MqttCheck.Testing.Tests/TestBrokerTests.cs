using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Processes;
using MqttCheck.Testing.Reporting;

namespace MqttCheck.Testing.Tests;

[TestFixture, NonParallelizable]
public sealed class TestBrokerTests
{
    private const string Variable = "MQTTCHECK_TEST_BROKER";

    [TearDown]
    public void ClearVariable() => Environment.SetEnvironmentVariable(Variable, null);

    [Test]
    public async Task An_environment_variable_names_the_broker()
    {
        await using var embedded = await TestBroker.StartAsync("embedded");
        Environment.SetEnvironmentVariable(Variable, $"mqtt://{embedded.Address}");
        await using var reached = await TestBroker.StartAsync("env:" + Variable);
        Assert.That(
            (reached.Address, reached.Description.Name),
            Is.EqualTo((embedded.Address, $"mqtt://{embedded.Address}"))
        );
    }

    [Test]
    public async Task Where_it_is_not_set_the_alternative_is_taken()
    {
        await using var broker = await TestBroker.StartAsync(
            $"env:{Variable}|embedded",
            new() { Delay = DelayPlan.Parse("constant:2ms", "test") }
        );
        Assert.That(
            (broker.Description.Name, broker.Description.Details["delay"]),
            Is.EqualTo(("embedded", "constant:2ms"))
        );
    }

    // A command has quotation marks of its own.
    [TestCase("embedded", "embedded")]
    [TestCase("exec:\"broker {port}\"", "exec:\\\"broker {port}\\\"")]
    public void The_variable_that_names_the_broker_is_part_of_the_command_that_repeats_the_test(
        string value,
        string quoted
    )
    {
        Environment.SetEnvironmentVariable(Variable, value);
        var host = new TestHost { Variables = [TestBroker.VariableOf($"env:{Variable}|mosquitto")!] };
        Assert.That(
            FailureMessage.Repeat(host, 7),
            Is.EqualTo($"dotnet test --environment MQTTCHECK_SEED=7 --environment \"{Variable}={quoted}\"")
        );
    }

    [Test]
    public void Only_a_variable_is_the_variable_of_a_broker() =>
        Assert.That(TestBroker.VariableOf("embedded"), Is.Null);

    [Test]
    public void A_variable_that_is_not_set_is_a_missing_broker() =>
        Assert.That(
            () => TestBroker.StartAsync("env:" + Variable),
            Throws
                .TypeOf<BrokerException>()
                .With.Message.Contains($"Environment variable {Variable} is not set")
                .And.Property(nameof(BrokerException.IsMissing))
                .True
        );

    [TestCase("mqttnet", "--port {port}\"", "isTuned: false")]
    [TestCase("mqttnet:tuned", "--port {port} --tuned\"", "isTuned: true")]
    public void MQTTnet_is_refused_with_two_ways_to_get_it(string name, string command, string argument) =>
        Assert.That(
            () => TestBroker.StartAsync(name),
            Throws
                .TypeOf<BrokerException>()
                .With.Message.Contains($"'{name}'")
                .And.Message.Contains(command)
                .And.Message.Contains(argument)
        );

    [Test]
    public async Task The_embedded_broker_without_delay_has_none_whatever_the_environment_says()
    {
        await using var broker = await TestBroker.StartAsync(
            "embedded:nodelay",
            new() { Delay = DelayPlan.Parse("constant:2ms", "test") }
        );
        Assert.That(broker.Description.Details["delay"], Is.EqualTo("none"));
    }

    [Test]
    public void An_unknown_broker_is_named() =>
        Assert.That(
            () => TestBroker.StartAsync("nosuch"),
            Throws.TypeOf<InputException>().With.Message.Contains("nosuch")
        );
}
