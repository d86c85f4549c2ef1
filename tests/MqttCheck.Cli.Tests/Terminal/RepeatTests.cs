using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Tests.Terminal;

[TestFixture]
internal sealed class RepeatTests
{
    [Test]
    public void The_seed_is_added_where_it_was_not_given() =>
        Assert.That(Repeat.CommandLine(["run", "--quick"], 7), Is.EqualTo("mqttcheck run --quick --seed 7"));

    [Test]
    public void A_seed_that_was_given_stays() =>
        Assert.That(Repeat.CommandLine(["run", "--seed", "9"], 9), Is.EqualTo("mqttcheck run --seed 9"));

    [Test]
    public void Credentials_are_left_out(
        [Values("--password", "--user", "--password-file")] string option,
        [Values(" ", "=", ":")] string separator
    ) =>
        Assert.That(
            Repeat.CommandLine(["run", .. $"{option}{separator}secret".Split(' '), "--quick"], 1),
            Is.EqualTo("mqttcheck run --quick --seed 1")
        );

    [TestCase("--broker", "wss://host/mqtt?token=secret", "'wss://host/mqtt?...'")]
    [TestCase("--broker", "mqtt://anna:secret@host", "mqtt://...@host")]
    [TestCase(
        "--brokers",
        "embedded,wss://host/mqtt?token=secret,mosquitto",
        "'embedded,wss://host/mqtt?...,mosquitto'"
    )]
    public void Secrets_in_the_address_of_a_broker_are_left_out(string option, string value, string shown)
    {
        Assert.That(
            Repeat.CommandLine(["run", option, value], 1),
            Is.EqualTo($"mqttcheck run {option} {shown} --seed 1")
        );
        Assert.That(
            Repeat.CommandLine(["run", $"{option}={value}"], 1),
            Does.StartWith("mqttcheck run ").And.Not.Contain("secret")
        );
    }

    [Test]
    public void Words_that_a_shell_would_split_are_quoted() =>
        Assert.That(
            Repeat.CommandLine(["run", "--broker", "exec:my broker's {port}", "--seed", "1"], 1),
            Is.EqualTo(@"mqttcheck run --broker 'exec:my broker'\''s {port}' --seed 1")
        );
}
