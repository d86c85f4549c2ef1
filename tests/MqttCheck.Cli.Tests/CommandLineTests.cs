using MqttCheck.Cli.Terminal;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests;

[TestFixture]
internal sealed class CommandLineTests : DirectoryFixture
{
    [Test]
    public async Task A_shell_is_told_how_a_line_that_is_not_whole_may_go_on()
    {
        var screen = await TestTool.SucceedAsync("[suggest:10]", "verify --b");
        Assert.That(screen.Output, Does.Contain("--broker").And.Contain("--budget").And.Not.Contain("--mqtt"));
    }

    private static readonly TestCaseData[] WrongInputs =
    [
        Case("An_unknown_option", ["run", "--clientz", "5"], "--clientz"),
        Case("An_unknown_command", ["rum"], "rum"),
        Case("A_broker_that_is_none", ["run", "--broker", "mosquito"], "mosquito"),
        Case("A_profile_that_is_none", ["run", "--profile", "up3"], "up3"),
        Case(
            "A_client_count_of_none",
            ["predict", "--model", "m.json", "--clients", "0"],
            "--clients",
            "'0'",
            "from 1 to"
        ),
        Case(
            "A_client_count_that_is_no_number",
            ["predict", "--model", "m.json", "--clients", "1,x"],
            "--clients",
            "1,x"
        ),
        Case("A_threshold_without_unit", ["run", "--threshold", "20"], "--threshold", "'20'", "unit"),
        Case("A_negative_threshold", ["run", "--threshold=-5ms"], "--threshold", "-5ms"),
        Case("An_error_with_a_decimal_comma", ["run", "--error", "0,01"], "--error", "0,01"),
        Case("An_error_of_nothing", ["run", "--error", "0"], "--error"),
        Case("An_error_that_is_not_a_number", ["run", "--error", "NaN"], "--error"),
        Case("An_indifference_of_a_half", ["run", "--indifference", "0.5"], "--indifference"),
        Case("Two_runs", ["run", "--runs", "2"], "--runs", "from 3"),
        Case("A_test_that_is_none", ["run", "--test", "three-sided"], "three-sided", "two-sided"),
        Case(
            "A_share_of_clients_that_do_not_decide",
            ["run", "--accepting-share", ".5", "-o", "no-such"],
            "--accepting-share",
            "--test clients"
        ),
        Case(
            "A_share_of_more_than_all",
            ["run", "--test", "clients", "--accepting-share", "1.5"],
            "--accepting-share",
            "1.5"
        ),
        Case(
            "A_remote_broker_for_workers",
            ["explore", "--broker", "mqtt://192.0.2.1:1883", "--workers", "redis://127.0.0.1:1"],
            "(--allow-remote)"
        ),
        Case("Workers_at_no_address", ["explore", "--workers", "nowhere"], "--workers: 'nowhere' is not allowed"),
        Case("A_certificate_for_no_worker", ["explore", "--certificate", "x.pem"], "given without --workers"),
        Case(
            "A_log_that_workers_cannot_write",
            ["bench", "--log", "--workers", "redis://127.0.0.1:1"],
            "--log: given beside --workers"
        ),
        Case("Nothing_to_confirm_with", ["run", "--confirm-with", "0"], "--confirm-with"),
        Case("A_format_that_is_none", ["compare", "--brokers", "embedded,embedded", "--format", "pdf"], "pdf", "junit"),
        Case("A_seed_below_zero", ["run", "--seed=-1"], "--seed"),
        Case("A_delay_that_is_no_law", ["run", "--delay", "gauss:5ms"], "--delay"),
        Case("A_negative_delay", ["run", "--delay", "constant:-5ms"], "--delay"),
        Case(
            "A_delay_for_a_foreign_broker",
            ["run", "--broker", "mosquitto", "--delay", "constant:5ms"],
            "--delay",
            "embedded"
        ),
        Case("A_delay_for_MQTTnet", ["run", "--broker", "mqttnet", "--delay", "constant:5ms"], "--delay", "embedded"),
        Case(
            "A_delay_for_the_embedded_broker_without_one",
            ["run", "--broker", "embedded:nodelay", "--delay", "constant:5ms"],
            "--delay",
            "embedded:nodelay"
        ),
        Case(
            "MQTTnet_with_a_suffix_that_is_none",
            ["check", "--broker", "mqttnet:foo"],
            "mqttnet:foo",
            "mqttnet",
            ":tuned"
        ),
        Case("A_port_of_MQTTnet_out_of_range", ["mqttnet-server", "--port", "65536"], "--port", "65536"),
        Case(
            "A_verify_delay_for_a_foreign_broker",
            ["run", "--broker", "mosquitto", "--verify-delay", "constant:5ms"],
            "--verify-delay",
            "embedded"
        ),
        Case(
            "Trust_for_a_broker_without_TLS",
            ["run", "--broker", "mqtt://127.0.0.1:1883", "--ca-file", "ca.pem"],
            "--ca-file",
            "mqtts://"
        ),
        Case(
            "A_missing_authority",
            ["run", "--broker", "mqtts://127.0.0.1:8883", "--ca-file", "no-such.pem"],
            "--ca-file",
            "no-such.pem"
        ),
        Case(
            "A_key_without_certificate",
            ["run", "--broker", "wss://127.0.0.1", "--client-key", "key.pem"],
            "--client-key",
            "--client-cert"
        ),
        Case(
            "Trust_beside_no_check",
            ["run", "--broker", "wss://127.0.0.1", "--tls-unchecked", "--ca-file", "ca.pem"],
            "--tls-unchecked",
            "--ca-file"
        ),
        Case("TLS_without_certificate", ["broker", "--port", "0", "--tls-port", "0"], "--cert"),
        Case(
            "A_missing_certificate",
            ["broker", "--port", "0", "--wss-port", "0", "--cert", "no-such.pem"],
            "--cert",
            "no-such.pem"
        ),
        Case("A_certificate_without_TLS", ["broker", "--port", "0", "--cert", "cert.pem"], "--cert", "--tls-port"),
        Case(
            "A_missing_delay_file",
            ["broker", "--port", "0", "--delay-file", "no-such.txt"],
            "--delay-file",
            "no-such.txt"
        ),
        Case(
            "Faults_twice",
            ["broker", "--port", "0", "--faults", "lose:1", "--faults-file", "f.txt"],
            "--faults",
            "--faults-file"
        ),
        Case(
            "A_broker_beyond_this_machine",
            ["run", "--broker", "mqtt://192.0.2.1:1883"],
            "192.0.2.1",
            "--allow-remote"
        ),
        Case(
            "A_password_without_user",
            ["run", "--broker", "mqtt://127.0.0.1:1883", "--password", "hunter2"],
            "--user"
        ),
        Case("A_missing_password_file", ["run", "--user", "u", "--password-file", "no-such-file"], "no-such-file"),
        Case("A_missing_log", ["learn", "no-such.csv"], "no-such.csv"),
        Case("A_missing_model", ["predict", "--model", "no-such.json"], "no-such.json"),
        Case("A_missing_prediction", ["verify", "no-such.json"], "no-such.json"),
        Case("An_unknown_learner", ["learn", "no-such.csv", "--learner", "oracle"], "oracle", "allowed"),
        Case("Nothing_to_report", ["report"], "--log"),
        Case("A_report_in_an_unknown_format", ["report", "--log", "no-such.csv", "--out", "x.pdf"], "no-such.csv"),
        Case("One_broker_to_compare", ["compare", "--brokers", "embedded"], "--brokers", "two brokers"),
        Case("A_broker_to_compare_that_is_none", ["compare", "--brokers", "embedded,mosquitto,mosquito"], "mosquito"),
        Case(
            "A_delay_to_compare_that_is_no_law",
            ["compare", "--brokers", "embedded,embedded:gauss:5ms"],
            "--brokers",
            "gauss"
        ),
        Case(
            "A_guarantee_that_is_none",
            ["compare", "--brokers", "embedded,embedded", "--guarantee", "all"],
            "--guarantee",
            "'all'",
            "model or any"
        ),
        Case("A_missing_baseline", ["compare", "--brokers", "embedded", "--baseline", "no-such.json"], "no-such.json"),
        Case("A_broker_address_that_is_none", ["broker", "--address", "localhorst"], "localhorst"),
        Case("An_unknown_fault", ["broker", "--port", "0", "--faults", "burn:0.1"], "burn"),
        Case("A_statement_that_is_none", ["check", "--only", "MQTT-9.9.9-9"], "--only", "MQTT-9.9.9-9"),
        Case(
            "A_scenario_twice",
            ["check", "--steps", "A connect clean", "--replay", "no-such.txt"],
            "--steps",
            "--replay"
        ),
        Case("A_missing_scenario", ["check", "--replay", "no-such.txt"], "no-such.txt"),
        Case("A_protocol_that_is_none", ["explore", "--mqtt", "4"], "--mqtt", "'4'"),
        Case("A_protocol_of_calibrate_that_is_none", ["calibrate", "--mqtt", "3.1"], "--mqtt", "'3.1'"),
        Case(
            "A_protocol_of_compare_that_is_none",
            ["compare", "--brokers", "embedded,embedded", "--mqtt", "4"],
            "--mqtt",
            "'4'"
        ),
        Case("A_client_that_is_none", ["explore", "--client", "foo"], "--client", "'foo'", "own, mqttnet"),
        Case("A_client_of_bench_that_is_none", ["bench", "--client", "paho"], "--client", "'paho'", "own, mqttnet"),
        Case(
            "Clients_to_compare_of_which_one_is_none",
            ["compare", "--brokers", "embedded", "--clients", "own,foo"],
            "--clients",
            "own,foo",
            "two of own, mqttnet"
        ),
        Case(
            "One_client_to_compare",
            ["compare", "--brokers", "embedded", "--clients", "mqttnet"],
            "--clients",
            "two of own, mqttnet"
        ),
        Case(
            "A_client_to_compare_twice",
            ["compare", "--brokers", "embedded", "--clients", "own,mqttnet,own"],
            "--clients",
            "each MQTT client once"
        ),
        Case(
            "A_client_beside_those_to_compare",
            ["compare", "--brokers", "embedded", "--clients", "own,mqttnet", "--client", "own"],
            "--client",
            "beside --clients own,mqttnet"
        ),
        Case("A_client_for_what_is_no_measurement", ["selfcheck", "--client", "mqttnet"], "--client"),
        Case("A_self_check_of_encrypted_packets", ["selfcheck", "--broker", "mosquitto:tls"], "--broker", "plain TCP"),
        Case("A_self_check_of_a_broker_that_is_none", ["selfcheck", "--broker", "mosquito"], "mosquito"),
        Case("A_port_out_of_range", ["broker", "--port", "65536"], "--port", "65536"),
        Case(
            "A_property_that_names_an_unknown_message",
            ["estimate", "P[ G latency(pubish) < 50ms ]", "--model", "m.json"],
            "column 14",
            "pubish",
            "publish"
        ),
        Case(
            "A_property_with_a_threshold_of_nothing",
            ["estimate", "P[ G latency < 0ms ]", "--model", "m.json"],
            "column 16",
            "0ms"
        ),
        Case("A_property_without_traces", ["estimate", "E[ count ]"], "--model", "--log"),
        Case(
            "A_property_with_an_unknown_rule",
            ["estimate", "E[ count ]", "--model", "m.json", "--rule", "gut-feeling"],
            "gut-feeling"
        ),
        Case("A_property_with_a_missing_log", ["estimate", "E[ count ]", "--log", "no-such.csv"], "no-such.csv"),
        Case(
            "A_fleet_limit_without_a_probability",
            ["largest-fleet", "failed ]", "--model", "m.json"],
            "column 1",
            "P[ formula ]"
        ),
        Case("An_audit_of_no_error", ["audit", "--error", "0"], "--error"),
        Case("An_audit_of_half_a_width", ["audit", "--epsilon", "0.5"], "--epsilon"),
        Case("An_audit_of_a_certainty", ["audit", "--verdicts", "--predictions", "0.9,1"], "--predictions", "0.9,1"),
        Case(
            "A_client_count_to_verify_that_is_not_predicted",
            ["run", "--clients", "5,10", "--verify-clients", "10,20"],
            "--verify-clients",
            "20 given",
            "5,10"
        ),
        Case(
            "A_baseline_that_cannot_be_stored",
            ["run", "--save-baseline", "/dev/null/baseline.json"],
            "--save-baseline",
            "/dev/null/baseline.json"
        ),
        Case(
            "A_baseline_in_the_place_of_a_directory",
            ["run", "--save-baseline", "/dev"],
            "--save-baseline",
            "is a directory"
        ),
        Case(
            "A_file_in_the_place_of_a_directory",
            ["run", "--out", typeof(CommandLineTests).Assembly.Location],
            "--out",
            "is a file"
        ),
        Case("An_exploration_without_a_unit", ["run", "--explore-for", "100"], "--explore-for", "'100'"),
    ];

    [TestCaseSource(nameof(WrongInputs))]
    public Task Wrong_input_is_refused_with_one_message_and_exit_code_2(string[] arguments, string[] said) =>
        TestTool.AssertRefusedAsync(arguments, said);

    [Test]
    public async Task Nobody_at_an_address_is_a_failing_broker()
    {
        // Port 1 of the loopback interface: reserved, and nobody listens.
        var (code, screen) = await TestTool.RunAsync([
            "explore",
            "--broker",
            "mqtt://127.0.0.1:1",
            "--out",
            In("l.csv"),
        ]);

        Assert.That(code, Is.EqualTo(ExitCode.BrokerFailed), screen.Error);
        Assert.That(screen.Error, Does.Contain("127.0.0.1:1"));
    }

    [Test]
    public async Task Without_a_command_the_help_is_shown()
    {
        var (code, screen) = await TestTool.RunAsync([]);

        Assert.That(code, Is.EqualTo(ExitCode.WrongInput));
        foreach (
            var command in (string[])["run", "explore", "learn", "predict", "verify", "compare", "report", "broker"]
        )
            Assert.That(screen.Output, Does.Contain(command));
    }

    [Test]
    public async Task The_audit_of_verdicts_prints_a_line_for_every_case()
    {
        var screen = await TestTool.SucceedAsync([
            "audit",
            "--verdicts",
            "--verifications",
            "2",
            "--predictions",
            "0.7",
        ]);
        Assert.That(
            screen.Output,
            Does.Contain("autoregressive between runs, 0.5")
                .And.Contain("withheld")
                .And.Contain("2 verifications a line")
                .And.Contain("       0.7   0.55 ")
                .And.Not.Contain("  0.83 ")
        );
    }

    private static TestCaseData Case(string name, string[] arguments, params string[] said) =>
        new TestCaseData(arguments, said).SetArgDisplayNames(name);
}
