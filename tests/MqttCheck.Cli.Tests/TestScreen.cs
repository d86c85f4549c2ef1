using MqttCheck.Cli.Terminal;
using Spectre.Console;

namespace MqttCheck.Cli.Tests;

/// <summary>A screen that remembers what was shown.</summary>
internal sealed class TestScreen
{
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();

    public TestScreen() =>
        Screen = new Screen(Console(_output), Console(_error), interactive: false, TimeProvider.System);

    public Screen Screen { get; }

    public string Output => _output.ToString();

    public string Error => _error.ToString();

    private static IAnsiConsole Console(StringWriter writer)
    {
        var console = AnsiConsole.Create(
            new AnsiConsoleSettings
            {
                Ansi = AnsiSupport.No,
                ColorSystem = ColorSystemSupport.NoColors,
                Out = new AnsiConsoleOutput(writer),
            }
        );
        console.Profile.Width = 160;
        return console;
    }
}
