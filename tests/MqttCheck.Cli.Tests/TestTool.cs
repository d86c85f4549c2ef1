using MqttCheck.Cli.Terminal;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests;

/// <summary>Runs command lines in this process.</summary>
internal static class TestTool
{
    /// <summary>The path of a sample of the repository.</summary>
    public static string Sample(string path) => RepositoryFiles.At($"samples/{path}");

    public static async Task<(int Code, TestScreen Screen)> RunAsync(params string[] arguments)
    {
        var screen = new TestScreen();
        using var interruption = new Interruption();
        return (await ToolCommands.RunAsync(arguments, screen.Screen, interruption), screen);
    }

    /// <summary>Runs a command that has to succeed.</summary>
    public static async Task<TestScreen> SucceedAsync(params string[] arguments)
    {
        var (code, screen) = await RunAsync(arguments);
        Assert.That(code, Is.EqualTo(ExitCode.Success), screen.Output + screen.Error);
        return screen;
    }

    /// <summary>Words with the sample model, the sample log and a file of a directory in their places.</summary>
    public static string[] Filled(string[] words, string folder) =>
        [
            .. words.Select(word =>
                word switch
                {
                    "MODEL" => RepositoryFiles.Model,
                    "LOG" => Sample("logs/embedded.csv.gz"),
                    "OUT" => Path.Combine(folder, "out.json"),
                    _ => word,
                }
            ),
        ];

    /// <summary>Asserts that a command is refused with one message that has all parts.</summary>
    public static async Task AssertRefusedAsync(string[] arguments, params string[] said)
    {
        var (code, screen) = await RunAsync(arguments);
        Assert.That(code, Is.EqualTo(ExitCode.WrongInput), screen.Output + screen.Error);
        foreach (var part in said)
            Assert.That(screen.Error.ReplaceLineEndings(" "), Does.Contain(part));
        Assert.That(screen.Error, Does.Not.Contain("   at "), "no stack trace");
        Assert.That(screen.Error, Does.Not.Contain("hunter2"), "no password");
    }
}
