using System.CommandLine;
using System.Text.Json;
using MqttCheck.App.Runs;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Tests.Options;

/// <summary>Asserts for every command of the tool what holds for all of them.</summary>
[TestFixture]
internal sealed class ScreenOptionsTests
{
    private static IEnumerable<string> Commands()
    {
        using var interruption = new Interruption();
        return [.. Leaves(Root(interruption)).Select(leaf => leaf.Name)];
    }

    [TestCaseSource(nameof(Commands))]
    public void Every_command_can_say_less_more_and_JSON(string name)
    {
        using var interruption = new Interruption();
        var command = Leaves(Root(interruption)).Single(leaf => leaf.Name == name).Command;
        var names = command.Options.Select(option => option.Name).ToList();
        Assert.That(names, Does.Contain("--quiet").And.Contain("--verbose").And.Contain("--format").And.Unique);
        // A model is exported in its own languages; JANI is JSON.
        var json = name == "export" ? "jani" : "json";
        var errors = Root(interruption).Parse($"{name} --format {json}").Errors;
        Assert.That(errors.Select(error => error.Message), Has.None.Contains(json));
    }

    [TestCaseSource(nameof(Commands))]
    public async Task Every_help_has_one_notation_for_defaults_and_an_example(string name)
    {
        var screen = await TestTool.SucceedAsync([.. name.Split(' '), "--help"]);
        // "Default 5." or "Default: as many as ...", a sentence of its own.
        Assert.That(
            screen.Output,
            Does.Not.Match(@"(?<!\b[Bb]y )\bdefault")
                .And.Not.Match(@"(?<![.)0-9a-z] +)\bDefault")
                .And.Not.Contain("System.")
                .And.Contain("Example:")
        );
    }

    [TestCaseSource(nameof(Commands))]
    public void Every_example_is_a_command_line_that_is_understood(string name)
    {
        using var interruption = new Interruption();
        var words = CommandHelp.Example(name)!.Split('\'');
        // Every second part stands between quotation marks.
        string[] arguments =
        [
            .. words.SelectMany(
                (part, index) => index % 2 == 1 ? [part] : part.Split(' ', StringSplitOptions.RemoveEmptyEntries)
            ),
        ];
        var parsed = Root(interruption).Parse(arguments);
        Assert.That(CommandLineErrors.Of(parsed), Is.Empty);
        Assert.That(string.Join(' ', arguments), Does.StartWith(name));
    }

    [TestCaseSource(nameof(Commands))]
    public Task No_command_takes_an_option_that_is_none_for_a_file(string name) =>
        TestTool.AssertRefusedAsync([.. name.Split(' '), "--no-such-option"], "--no-such-option");

    [Test]
    public async Task A_word_with_one_dash_is_no_file_but_may_be_a_value()
    {
        await TestTool.AssertRefusedAsync(["learn", "-x.csv"], "'-x.csv' is no option of 'mqttcheck learn'");
        var (_, screen) = await TestTool.RunAsync("run", "--broker", "mqtt://127.0.0.1:1", "--password", "-secret");
        Assert.That(screen.Error, Does.Not.Contain("is no option"));
    }

    [Test]
    public async Task A_result_is_printed_as_JSON_with_its_tables_and_other_lines()
    {
        var (code, screen) = await TestTool.RunAsync("cluster", "show", "bridge-triangle", "--format", "json");
        using var json = JsonDocument.Parse(screen.Output);
        Assert.That(json.RootElement.GetProperty("command").GetString(), Is.EqualTo("cluster show"));
        Assert.That(json.RootElement.GetProperty("exitCode").GetInt32(), Is.EqualTo(code));
        Assert.That(json.RootElement.GetProperty("lines").GetArrayLength(), Is.Positive);
        Assert.That(json.RootElement.GetProperty("tables")[0][0].ValueKind, Is.EqualTo(JsonValueKind.Object));
    }

    [Test]
    public Task Quiet_and_verbose_contradict_each_other() =>
        TestTool.AssertRefusedAsync(["brokers", "--quiet", "--verbose"], "--quiet", "--verbose");

    private static RootCommand Root(Interruption interruption)
    {
        var screen = new TestScreen().Screen;
        return ToolCommands.Root(screen, ToolCommands.Commands(screen, interruption, []));
    }

    private static IEnumerable<(string Name, Command Command)> Leaves(Command command, string above = "") =>
        command.Subcommands.SelectMany(below =>
            below.Hidden ? []
            : below.Subcommands.Count > 0 ? Leaves(below, $"{above}{below.Name} ")
            : [($"{above}{below.Name}", below)]
        );
}
