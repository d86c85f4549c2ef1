using MqttCheck.Brokers.Processes;

namespace MqttCheck.Testing.Tests;

/// <summary>Brokers by their connection strings.</summary>
[TestFixture, NonParallelizable]
internal sealed class BrokerTests
{
    private const string Variable = "ConnectionStrings__mqttcheck-test";

    [TearDown]
    public void ClearVariables()
    {
        Environment.SetEnvironmentVariable(Variable, null);
        Environment.SetEnvironmentVariable(Variable.Replace('-', '_'), null);
    }

    [TestCase("mqtt://{0}")]
    [TestCase("  tcp://{0}/ ")]
    [TestCase("Endpoint=mqtt://{0}")]
    [TestCase("endpoint=tcp://{0};")]
    [TestCase("mqttcheck-test", Variable)]
    [TestCase("mqttcheck-test", "ConnectionStrings__mqttcheck_test")]
    public async Task A_broker_is_reached_by_its_connection_string_or_by_the_name_of_one(
        string text,
        string? variable = null
    )
    {
        await using var embedded = await TestBroker.StartAsync("embedded:nodelay");
        if (variable is not null)
            Environment.SetEnvironmentVariable(variable, $"Endpoint=mqtt://{embedded.Address}");
        await using var reached = await Broker.From(
            string.Format(System.Globalization.CultureInfo.InvariantCulture, text, embedded.Address)
        );
        Assert.That(reached.Address, Is.EqualTo(embedded.Address));
    }

    [TestCase("mqtt://127.0.0.1", "mqtt://127.0.0.1", null)]
    [TestCase("mqtts://broker.example:8883", "mqtts://broker.example:8883", null)]
    [TestCase("ssl://broker.example", "mqtts://broker.example", null)]
    [TestCase("wss://broker.example/mqtt", "wss://broker.example:443/mqtt", null)]
    [TestCase("mqtt://me:a%3Bb@127.0.0.1:1884", "mqtt://127.0.0.1:1884", "me a;b")]
    [TestCase("Endpoint=mqtt://127.0.0.1:1;Username=me;Password=\"a;b\"", "mqtt://127.0.0.1:1", "me a;b")]
    [TestCase("User ID=me;Endpoint=mqtts://[::1]:1", "mqtts://[::1]:1", "me ")]
    public void Scheme_address_and_credentials_are_read(string text, string address, string? login)
    {
        var connection = BrokerConnection.Of(text);
        Assert.That(connection.Address, Is.EqualTo(address));
        Assert.That(
            connection.Credentials is { } known ? $"{known.UserName} {known.Password}" : null,
            Is.EqualTo(login)
        );
    }

    [TestCase("", "'' given", "is no address of a broker")]
    [TestCase("http://127.0.0.1:1883", "'http://127.0.0.1:1883' given", "is no address")]
    [TestCase("127.0.0.1:1883", "'127.0.0.1:1883' given", "is no address")]
    [TestCase("mqtt://", "'mqtt://' given", "is no address")]
    [TestCase("Endpoint=mqtt://h:1;Pasword=hunter2", "'pasword' is none of its keys", "Endpoint, Username")]
    [TestCase("Username=me;Host=mqtt://h", "none of its keys", "Endpoint=mqtt://HOST:PORT")]
    [TestCase("Username=mqtt://h;Password=hunter2", "has no Endpoint", "Password=...")]
    [TestCase("Endpoint=mqtt://h:1;=;x", "KEY=VALUE", "Endpoint=mqtt://HOST:PORT")]
    [TestCase("http://me:hunter2@h", "'http://...@h' given", "is no address")]
    [TestCase("mqtt:\u001b[31m", @"mqtt:\e[31m", "is no address")]
    public void A_broken_string_is_refused_with_its_value_and_what_is_allowed(params string[] said)
    {
        var message = Assert.Throws<InputException>(() => BrokerConnection.Of(said[0]))!.Message;
        foreach (var part in said[1..])
            Assert.That(message, Does.Contain(part));
        Assert.That(message, Does.Contain("mqtts://HOST:PORT").And.Contain("ConnectionStrings__mqtt"));
        Assert.That(message, Does.Not.Contain("hunter2").And.Not.Contain("\u001b"));
    }

    [Test]
    public void A_name_whose_variable_is_not_set_is_a_missing_broker() =>
        Assert.That(
            () => Broker.From("mqttcheck-test"),
            Throws
                .TypeOf<BrokerException>()
                .With.Message.Contains($"Environment variable {Variable} is not set")
                .And.Message.Contains("mqtt://127.0.0.1:1883")
                .And.Property(nameof(BrokerException.IsMissing))
                .True
        );

    [Test]
    public void A_broken_string_behind_a_name_says_which_variable_holds_it()
    {
        Environment.SetEnvironmentVariable(Variable, "amqp://h");
        Assert.That(
            () => Broker.From("mqttcheck-test"),
            Throws.TypeOf<InputException>().With.Message.Contains($"Connection string of {Variable}: 'amqp://h' given")
        );
    }

    [Test]
    public void A_broker_on_another_machine_needs_to_be_allowed() =>
        Assert.That(
            () => Broker.From("Endpoint=mqtt://192.0.2.1:1883"),
            Throws.TypeOf<InputException>().With.Message.Contains("192.0.2.1")
        );
}
