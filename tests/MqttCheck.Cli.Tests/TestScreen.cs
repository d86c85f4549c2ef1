using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Tests;

/// <summary>A screen that remembers what was shown.</summary>
internal sealed class TestScreen
{
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();

    public TestScreen() =>
        Screen = new Screen(
            Screen.Create(_output, isPlain: true, hasColors: false),
            Screen.Create(_error, isPlain: true, hasColors: false),
            interactive: false,
            TimeProvider.System
        );

    public Screen Screen { get; }

    public string Output => _output.ToString();

    public string Error => _error.ToString();
}
