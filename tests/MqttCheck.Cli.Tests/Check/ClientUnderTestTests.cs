using System.Text.Json;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests.Check;

/// <summary><c>check --role broker</c> with a client that a shell can be.</summary>
[TestFixture]
[Platform("Linux")]
internal sealed class ClientUnderTestTests : DirectoryFixture
{
    // CONNECT of MQTT 3.1.1 twice, and then nothing.
    private const string TwiceConnecting =
        "bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port}; for i in 1 2; do "
        + "printf \"\\020\\017\\000\\004MQTT\\004\\002\\000\\000\\000\\003abc\" >&3; done; cat <&3'";

    [Test]
    public async Task A_script_prints_the_packets_and_the_statement()
    {
        var (code, screen) = await TestTool.RunAsync(Words("--steps", "accept", "--times", "2"));
        Assert.That(code, Is.EqualTo(ExitCode.Refuted), screen.Error);
        Assert.That(
            screen.Output,
            Does.Contain("--> CONNECT     client abc")
                .And.Contain("section 3.1 (MUST) 2 of 2: CONNECT comes a second time")
        );
    }

    [Test]
    [Category("Whole")]
    public async Task Exploration_prints_a_finding_with_its_command_and_writes_the_file()
    {
        var findings = In("findings.json");
        var (code, screen) = await TestTool.RunAsync(Words("--for", "10s", "--out", findings));
        Assert.That(code, Is.EqualTo(ExitCode.Refuted), screen.Output + screen.Error);
        using var document = JsonDocument.Parse(await File.ReadAllTextAsync(findings));
        Assert.That(document.RootElement.GetProperty("subject").GetString(), Is.EqualTo("client"));
        var first = document.RootElement.GetProperty("findings")[0];
        Assert.That(first.GetProperty("statement").GetString(), Is.EqualTo("section 3.1"));
        Assert.That(first.GetProperty("scenario").GetArrayLength(), Is.LessThanOrEqualTo(1));
        Assert.That(screen.Output, Does.Contain(first.GetProperty("repeat").GetString()));
    }

    [Test]
    public async Task A_program_that_does_not_connect_gives_exit_code_3_and_what_it_printed()
    {
        var (code, screen) = await TestTool.RunAsync(
            "check",
            "--role",
            "broker",
            "--exec",
            "sh -c 'echo no such host; exit 1' {port}",
            "--for",
            "2s",
            "--out",
            In("findings.json")
        );
        Assert.That(code, Is.EqualTo(ExitCode.BrokerFailed), screen.Output);
        Assert.That(screen.Error, Does.Contain("did not connect").And.Contain("no such host"));
    }

    [TestCase("--role broker --for 1s", "--exec")]
    [TestCase("--exec client", "--role broker")]
    [TestCase("--role broker --exec client", "{port}")]
    [TestCase("--role broker --broker mosquitto", "--broker: given with --role broker")]
    [TestCase("--role broker --load 2k", "--load: given with --role broker")]
    public async Task Options_that_do_not_fit_are_refused(string words, string said) =>
        await TestTool.AssertRefusedAsync(["check", .. words.Split(' ')], said);

    [Test]
    public async Task A_wrong_script_is_refused_with_the_verbs() =>
        await TestTool.AssertRefusedAsync(Words("--steps", "acept"), "--steps: 'acept'", "did you mean 'accept'");

    private static string[] Words(params string[] more) =>
        ["check", "--role", "broker", "--exec", TwiceConnecting, .. more];
}
