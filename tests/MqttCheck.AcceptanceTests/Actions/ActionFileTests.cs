namespace MqttCheck.AcceptanceTests.Actions;

/// <summary>
/// action.yml at the root: its scripts are run in a shell with the variables that GitHub sets. `dotnet tool exec`
/// stands for the built tool; .ci/packages runs the same with the real one and the packages of MQTTCHECK_PACKAGES.
/// </summary>
[Parallelizable(ParallelScope.All)]
public sealed class ActionFileTests
{
    private static readonly string? s_packages = Environment.GetEnvironmentVariable("MQTTCHECK_PACKAGES");

    [Test]
    public async Task The_summary_of_a_verification_has_its_table_its_picture_and_the_address_of_all_files()
    {
        using var directory = new WorkDirectory();
        var samples = RepositoryFiles.At("samples/results");
        var steps = Steps(
            directory,
            $"report --prediction '{samples}/embedded.prediction.json' --verdicts {samples}/embedded.verdicts.json "
                + "--format github --plots \"my plots\""
        );
        var (code, printed) = await steps.RunAsync(Script("mqttcheck"));
        Assert.That(code, Is.Zero, printed);
        Assert.That(printed, Does.Contain("::notice title=MqttCheck"));
        Assert.That(steps["steps.mqttcheck.outputs.exit-code"], Is.EqualTo("0"));
        Assert.That(steps["steps.mqttcheck.outputs.files"], Is.EqualTo(directory.File("my plots")));
        Assert.That(File.Exists(directory.File("my plots/comparison.png")), Is.True);

        steps["steps.files.outputs.artifact-url"] = "https://example.org/artifacts/1";
        Assert.That(await steps.RunAsync(Script("")), Is.EqualTo((0, "")));
        Assert.That(
            steps.Summary,
            Does.Contain("| profile | threshold |")
                .And.Contain("```mermaid\nxychart-beta\n")
                .And.EndsWith("\n[All files and pictures](https://example.org/artifacts/1)\n")
        );
    }

    [Test]
    public async Task A_deviation_fails_the_step_with_the_code_of_the_tool()
    {
        using var directory = new WorkDirectory();
        var (broker, address) = await ToolProcess.ServeAsync(directory.Path, "--faults", "wrong-qos:1");
        using var served = broker;
        var steps = Steps(directory, $"check --broker {address} --for 2s --seed 1 --out findings.json");
        var (code, printed) = await steps.RunAsync(Script("mqttcheck"));
        Assert.That(code, Is.EqualTo(1), printed);
        Assert.That(printed, Does.Contain("::error title=MQTT-3.8.4-"), "the form for annotations goes without saying");
        Assert.That(steps["steps.mqttcheck.outputs.exit-code"], Is.EqualTo("1"));
        Assert.That(steps["steps.mqttcheck.outputs.files"], Is.EqualTo(directory.File("findings.json")));
        Assert.That(steps.Summary, Does.Contain("MQTT-3.8.4-"));
    }

    [TestCase("", 2, "command: '' given; allowed: a command")]
    [TestCase("check --broker 'embedded", 2, "with quotation marks in pairs")]
    [TestCase("chekc", 2, "check")]
    [TestCase("brokers $(touch gone) `touch gone` ; touch gone", 2, "touch")]
    public async Task A_command_that_cannot_be_is_one_message_and_code_2_and_nothing_in_it_is_run(
        string command,
        int expected,
        string message
    )
    {
        using var directory = new WorkDirectory();
        var steps = Steps(directory, command);
        var (code, printed) = await steps.RunAsync(Script("mqttcheck"));
        Assert.That(code, Is.EqualTo(expected), printed);
        Assert.That(printed, Does.Contain(message));
        Assert.That(steps["steps.mqttcheck.outputs.exit-code"], Is.EqualTo("2"));
        Assert.That(File.Exists(directory.File("gone")), Is.False);
    }

    [Test]
    public void The_version_that_goes_without_saying_is_that_of_the_project()
    {
        var props = File.ReadAllText(RepositoryFiles.At("Directory.Build.props"));
        using var directory = new WorkDirectory();
        Assert.That(props, Does.Contain($"<Version>{new ActionSteps(directory, "")["inputs.version"]}</Version>"));
    }

    private static string[] Script(string id) => ActionSteps.All().Single(step => step.Id == id).Lines;

    private static ActionSteps Steps(WorkDirectory directory, string command)
    {
        var path = Directory.CreateDirectory(directory.File("path")).FullName;
        if (s_packages is null)
            StandIn(Path.Combine(path, "dotnet"));
        return new(directory, path) { ["inputs.command"] = command, ["inputs.packages"] = s_packages ?? "" };
    }

    // As the real one: the package, its options, and after -- the words for the tool.
    private static void StandIn(string file)
    {
        var tool = Path.Combine(AppContext.BaseDirectory, "MqttCheck.Cli.dll");
        File.WriteAllText(
            file,
            $"""
            #!/bin/sh
            case "$1 $2 $3 $4 $5" in "tool exec MqttCheck.Tool@"*" --yes --") ;; *) exit 99 ;; esac
            shift 5
            exec '{Environment.ProcessPath}' exec '{tool}' "$@"
            """
        );
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserExecute | UnixFileMode.UserWrite);
    }
}
