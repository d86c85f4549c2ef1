namespace MqttCheck.AcceptanceTests;

/// <summary>User name and password reach the broker and nothing else.</summary>
[Parallelizable(ParallelScope.All)]
public sealed class CredentialsTests
{
    private const string User = "user-of-this-test",
        Password = "secret-of-this-test";

    [TestCase("option")]
    [TestCase("environment", Explicit = true)]
    [TestCase("file")]
    public async Task Neither_files_nor_output_nor_the_command_that_repeats_the_run_hold_them(string way)
    {
        using var secrets = new WorkDirectory();
        File.WriteAllText(secrets.File("access"), $"anonymous no\nuser {User} {Password}\n");
        File.WriteAllText(secrets.File("password"), Password + "\n");
        using var directory = new WorkDirectory();
        var access = secrets.File("access");
        var (broker, address) = await ToolProcess.ServeAsync(directory.Path, "--access", access);
        using var _ = broker;

        var refused = await ToolProcess.RunAsync(directory.Path, "explore", "--for", "5s", "--broker", address);
        Assert.That(refused.ExitCode, Is.EqualTo(3), "without credentials: " + refused);

        string[] arguments = ["explore", "--for", "5s", "--broker", address];
        var environment = new Dictionary<string, string>();
        switch (way)
        {
            case "option":
                arguments = [.. arguments, "--user", User, "--password", Password];
                break;
            case "file":
                arguments = [.. arguments, "--user", User, "--password-file", secrets.File("password")];
                break;
            default:
                environment = new() { ["MQTTCHECK_USER"] = User, ["MQTTCHECK_PASSWORD"] = Password };
                break;
        }
        var result = await ToolProcess.SucceedAsync(directory.Path, environment, arguments);
        Assert.That(result.Output + result.Error, Does.Not.Contain(User).And.Not.Contain(Password));
        foreach (var (name, text) in directory.Texts())
            Assert.That(text, Does.Not.Contain(User).And.Not.Contain(Password), name);
    }
}
